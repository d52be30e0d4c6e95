// What is known of one state: values, propositions, the automaton, and the source of the step that led there.

const MANY_VARIABLES = 12; // with more, what has changed is listed first
const LONGEST_TRANSITION = 40; // lines

/** The variables; those that the last step changed are marked, with what they were before. */
class VariablesPanel {
  constructor(run) {
    this.run = run;
    this.shown = [];
    this.cells = run.variables.map(() => element("td", { class: "value" }));
    this.rows = run.variables.map((name, i) => element("tr", {}, element("th", { scope: "row" }, name), this.cells[i]));
    this.changes = element("ul", { class: "changes" });
    this.box = element("div", { class: "scrolled" }, element("table", { class: "values" }, element("tbody", {}, ...this.rows)));
    this.root = element("div", {}, ...(run.variables.length > MANY_VARIABLES ? [this.changes] : []), this.box);
  }

  show(number) {
    const { values } = this.run.at(number);
    const step = this.run.to(number);
    const before = step ? this.run.at(number - 1).values : values;
    const changed = new Set(step ? step.changes.map(([variable]) => variable) : []);
    values.forEach((value, i) => {
      const text = changed.has(i) ? `${before[i]} → ${value}` : value;
      if (this.shown[i] === text) return;
      this.shown[i] = text;
      this.cells[i].replaceChildren(...(changed.has(i)
        ? [element("span", { class: "old" }, before[i]), " → ", element("b", {}, value)] : [value]));
      this.rows[i].classList.toggle("changed", changed.has(i));
    });
    this.changes.replaceChildren(...[...changed].map((i) => element("li", {}, this.run.variables[i], " ",
      element("span", { class: "old" }, before[i]), " → ", element("b", {}, values[i]))));
    const first = changed.size ? this.rows[Math.min(...changed)] : null;
    if (first) intoSight(this.box, first);
  }
}

/** The propositions of the property. */
class PropositionsPanel {
  constructor(run) {
    this.run = run;
    this.marks = run.propositions.map((name) => element("li", {}, element("span", { class: "truth" }), element("code", {}, name)));
    this.root = element("ul", { class: "propositions" }, ...this.marks);
  }

  show(number) {
    const { holding } = this.run.at(number);
    const step = this.run.to(number);
    const changed = new Set(step ? step.holding.map(([proposition]) => proposition) : []);
    this.marks.forEach((mark, i) => {
      const unknown = holding[i] === null;
      mark.firstChild.textContent = unknown ? "?" : holding[i] ? "✓" : "✗";
      mark.className = `${unknown ? "unknown" : holding[i] ? "true" : "false"}${changed.has(i) ? " changed" : ""}`;
      mark.title = unknown ? "not known" : holding[i] ? "true" : "false";
    });
  }
}

/** The state of the automaton, and the edges that leave it. */
class AutomatonPanel {
  constructor(run) {
    this.run = run;
    this.root = element("div", { class: "automaton" });
  }

  show(number) {
    const here = this.run.automatonAt(number);
    const step = this.run.from(number);
    const edges = this.run.edges.filter(([source]) => source === here).map(([, label, marks, to]) => {
      const taken = step !== null && step.automaton === to;
      return element("li", { class: taken ? "taken" : null }, element("code", {}, label),
        ...(marks ? [element("span", { class: "marks", title: "acceptance sets" }, marks)] : []), ` → ${to}`);
    });
    this.root.replaceChildren(element("p", {}, "in state ", element("b", {}, String(here))), element("ul", {}, ...edges));
  }
}

/** The text of the model, with the lines of the step that led here, and of the one that comes. */
class SourcePanel {
  constructor(run) {
    this.run = run;
    this.lines = run.source.lines.map((text, i) => element("div", { class: "line" },
      element("span", { class: "line-number" }, String(i + 1)), element("code", {}, text || " ")));
    this.root = element("div", { class: "scrolled source", tabindex: "0", "aria-label": "Source of the model" }, ...this.lines);
    this.marked = [];
  }

  show(number) {
    this.marked.forEach((line) => line.classList.remove("now", "next"));
    this.marked = [];
    this.mark(this.run.from(number), "next");
    const now = this.mark(this.run.to(number), "now") ?? this.marked[0];
    if (now) intoSight(this.root, now);
  }

  mark(step, name) {
    const lines = (step ? step.lines : []).flatMap((line) => this.transition(line));
    for (const line of lines) line.classList.add(name);
    this.marked.push(...lines);
    return lines[0];
  }

  /** The lines of a transition: from its first one to the one where its braces close. */
  transition(first) {
    if (!this.lines[first - 1]) return [];
    const found = [];
    let [depth, begun] = [0, false];
    for (let i = first - 1; i < Math.min(this.lines.length, first - 1 + LONGEST_TRANSITION); i += 1) {
      found.push(this.lines[i]);
      for (const letter of this.run.source.lines[i]) {
        if (letter === "{") [depth, begun] = [depth + 1, true];
        if (letter === "}") depth -= 1;
        if (begun && depth === 0) return found;
      }
    }
    return found.slice(0, 1);
  }
}

/** Scroll a box, and nothing else, so that a part of it is seen. */
function intoSight(box, part) {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}
