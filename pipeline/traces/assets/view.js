// The view of a run: steps and chart, the state that is looked at, and the keys that go through it.

const KEYS = [
  ["→ ↓", "next state"], ["← ↑", "state before"], ["PgDn PgUp", "ten states"], ["Home End", "first, last"],
  ["c", "where the cycle begins"], ["n", "next change of a proposition"],
];

class TraceView {
  constructor(root, story) {
    this.run = new Run(story);
    this.state = 0;
    this.rows = new StepRows(this.run, (number) => this.show(number));
    this.panels = this.makePanels();
    this.position = element("output", { class: "position", "aria-live": "polite" });
    this.slider = element("input", { type: "range", min: "0", max: String(this.run.last), value: "0", "aria-label": "State" });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    root.replaceChildren(this.toolbar(), element("div", { class: "trace-grid" },
      element("section", { class: "part trace-steps", "aria-label": "Steps" }, this.rows.root),
      element("div", { class: "trace-side" }, ...this.panels.map(({ box }) => box))), keysHelp());
    this.onKey = (event) => this.pressed(event);
    addEventListener("keydown", this.onKey);
    this.show(0);
  }

  close() {
    removeEventListener("keydown", this.onKey);
  }

  makePanels() {
    const { run } = this;
    const made = [];
    const add = (name, title, panel, open = true) => {
      const box = element("details", { class: `part ${name}` }, element("summary", {}, title), panel.root);
      box.open = open;
      box.addEventListener("toggle", () => box.open && panel.show(this.state));
      made.push({ box, panel });
    };
    if (run.propositions.length) add("holds", "Propositions", new PropositionsPanel(run));
    if (run.automaton !== null) add("watcher", "Automaton of what is forbidden", new AutomatonPanel(run));
    add("variables", "Variables", new VariablesPanel(run));
    if (run.source) add("text", run.source.name, new SourcePanel(run));
    return made;
  }

  toolbar() {
    const { run } = this;
    const button = (text, label, act) => {
      const made = element("button", { type: "button", title: label, "aria-label": label }, text);
      made.addEventListener("click", act);
      return made;
    };
    const buttons = [
      button("⇤", "First state (Home)", () => this.show(0)),
      button("←", "State before (←)", () => this.show(run.previous(this.state))),
      button("→", "Next state (→)", () => this.show(run.next(this.state))),
      button("⇥", "Last state (End)", () => this.show(run.last)),
    ];
    if (run.cycle !== null) buttons.push(button("⟳ cycle", "Where the cycle begins (c)", () => this.show(run.cycle)));
    if (run.propositions.length) {
      buttons.push(button("next change", "Next change of a proposition (n)", () => this.show(run.nextChange(this.state))));
    }
    return element("div", { class: "trace-bar controls", role: "toolbar" }, ...buttons, this.slider, this.position);
  }

  show(number) {
    this.state = number;
    this.slider.value = String(number);
    const remark = this.run.remark(number);
    this.position.textContent = `state ${number} of ${this.run.last}${remark ? `: ${remark}` : ""}`;
    this.rows.show(number);
    for (const { box, panel } of this.panels) if (box.open) panel.show(number);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("select, input")) return;
    const { run, state } = this;
    const goals = {
      ArrowRight: () => run.next(state), ArrowDown: () => run.next(state),
      ArrowLeft: () => run.previous(state), ArrowUp: () => run.previous(state),
      PageDown: () => Math.min(run.last, state + 10), PageUp: () => Math.max(0, state - 10),
      Home: () => 0, End: () => run.last, c: () => run.cycle ?? state, n: () => run.nextChange(state),
    };
    if (!Object.hasOwn(goals, event.key)) return;
    event.preventDefault();
    this.show(goals[event.key]());
  }
}

function keysHelp() {
  return element("p", { class: "note keys" }, ...KEYS.flatMap(([keys, text]) => [element("kbd", {}, keys), ` ${text}   `]));
}
