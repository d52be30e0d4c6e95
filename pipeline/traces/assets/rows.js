// The steps of a run, one to a row, with a message sequence chart beside them. Only rows in sight exist.

const STEP_HEIGHT = 34;
const STEPS_BEYOND = 6;
const LANE = { widest: 170, least: 84, room: 22 };
const LETTER = 6.6; // pixels, about
const PUT = 0.42; // of the way to the receiver: where a buffer is drawn, beside the lines of others
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

class StepRows {
  constructor(run, choose) {
    this.run = run;
    this.choose = choose;
    this.current = 0;
    this.lane = Math.min(LANE.widest, Math.max(LANE.least, LANE.room + LETTER * longestLabel(run)));
    this.body = element("div", { class: "steps-body", role: "listbox", "aria-label": "States" });
    this.body.style.height = `${(run.last + 1) * STEP_HEIGHT}px`;
    this.head = element("div", { class: "steps-head" },
      element("span", { class: "step-number" }, "state"), element("span", { class: "step-command" }, "reached by"), this.lanes());
    this.root = element("div", { class: "steps", tabindex: "0" }, this.head, this.body);
    this.root.addEventListener("scroll", () => this.render(), { passive: true });
    this.body.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.render()).observe(this.root);
  }

  get width() {
    return this.run.processes.length * this.lane + LANE.room;
  }

  lanes() {
    const names = this.run.processes.map((name) => {
      const made = element("span", { class: "lane", title: name }, name);
      made.style.width = `${this.lane}px`;
      return made;
    });
    return element("span", { class: "step-chart lanes" }, ...names);
  }

  onClick(event) {
    const row = event.target.closest(".step");
    if (row) this.choose(Number(row.dataset.state));
  }

  show(number) {
    this.current = number;
    const top = number * STEP_HEIGHT;
    const room = this.root.clientHeight - this.head.offsetHeight - 2 * STEP_HEIGHT;
    if (top < this.root.scrollTop + STEP_HEIGHT) this.root.scrollTop = Math.max(0, top - STEP_HEIGHT);
    if (top > this.root.scrollTop + room) this.root.scrollTop = top - room;
    this.render();
  }

  render() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / STEP_HEIGHT) - STEPS_BEYOND);
    const shown = Math.ceil(this.root.clientHeight / STEP_HEIGHT) + 2 * STEPS_BEYOND;
    const last = Math.min(this.run.last, first + shown);
    const rows = [];
    for (let number = first; number <= last; number += 1) rows.push(this.row(number));
    this.body.replaceChildren(...rows);
    this.body.setAttribute("aria-activedescendant", `state-${this.current}`);
  }

  row(number) {
    const { run } = this;
    const step = run.to(number);
    const lines = step && step.lines.length ? `line ${step.lines.join(", ")}` : "";
    const remark = run.remark(number);
    const text = element("span", { class: "step-command", title: run.describe(number) },
      element("span", { class: "command" }, run.describe(number)),
      element("span", { class: "step-notes" }, ...(lines ? [element("span", {}, lines)] : []),
        ...(remark ? [element("span", { class: `remark ${run.ending.kind}` }, remark)] : [])));
    const row = element("div", { class: "step", role: "option", id: `state-${number}`, "data-state": number,
      "aria-selected": String(number === this.current) }, element("span", { class: "step-number" }, String(number)), text, this.chart(number, step));
    row.style.top = `${number * STEP_HEIGHT}px`;
    row.classList.toggle("current", number === this.current);
    row.classList.toggle("in-cycle", run.cycle !== null && number >= run.cycle);
    row.classList.toggle("wrong", number === run.last && run.ending.kind === "violation");
    row.classList.toggle("telling", Boolean(step && step.holding.length));
    return row;
  }

  /** The part of the chart that belongs to a step. */
  chart(number, step) {
    const { run } = this;
    const drawn = svg("svg", { class: "step-chart", width: this.width, height: STEP_HEIGHT, "aria-hidden": "true" });
    run.processes.forEach((_, i) => {
      const x = this.middle(i);
      drawn.append(svg("line", { x1: x, x2: x, y1: number === 0 ? STEP_HEIGHT / 2 : 0,
        y2: number === run.last && run.cycle === null ? STEP_HEIGHT / 2 : STEP_HEIGHT, class: "life" }));
    });
    if (step) drawn.append(...(step.message ? this.arrow(step.message) : this.dots(step)));
    return drawn;
  }

  middle(lane) {
    return (lane + 0.5) * this.lane;
  }

  /**
   * A message: an arrow from who sends to who receives. What is put into a buffer goes part of the way, and all of
   * it, dashed, when it is taken out.
   */
  arrow(message) {
    const { sender, receiver, way } = message;
    const [from, to] = [sender ?? receiver, receiver ?? sender].map((name) => this.middle(this.run.laneOf.get(name)));
    const aside = from === to ? this.lane / 2 : 0; // with nobody, or with itself
    const [x1, x2] = way === "received" ? [from + aside, to] : [from, to + aside];
    const [y, sign] = [STEP_HEIGHT - 10, Math.sign(x2 - x1)];
    const end = way === "sent" && !aside ? x1 + PUT * (x2 - x1) : x2;
    const head = way === "sent" ? svg("circle", { cx: end, cy: y, r: 3.5, class: "message-stored" })
      : svg("path", { d: `M ${x2} ${y} l ${-8 * sign} -4 v 8 z`, class: "message-head" });
    const room = Math.floor(Math.max(Math.abs(x2 - x1), this.lane) / LETTER);
    return [
      svg("text", { x: (x1 + x2) / 2, y: y - 6, class: "message-text" }, shortened(messageText(message), room)),
      svg("line", { x1, x2: end - 4 * sign, y1: y, y2: y, class: `message ${way}` }), head,
    ];
  }

  /** A step without a message: a dot on each process that takes part, and where it goes. */
  dots(step) {
    const { run } = this;
    return step.processes.flatMap((name) => {
      const x = this.middle(run.laneOf.get(name));
      const location = run.locationAfter(step, name);
      const room = Math.floor(this.lane / LETTER);
      const label = location ? [svg("text", { x: x + 9, y: STEP_HEIGHT / 2 + 4, class: "location" }, shortened(location, room))] : [];
      return [svg("circle", { cx: x, cy: STEP_HEIGHT / 2, r: 4, class: "local" }), ...label];
    });
  }
}

/** Letters of the longest name of a process or a message, or of a location that one comes to. */
function longestLabel(run) {
  let longest = Math.max(0, ...run.processes.map((name) => name.length));
  for (const step of run.steps) {
    if (step.message) longest = Math.max(longest, messageText(step.message).length);
    for (const name of step.processes) longest = Math.max(longest, (run.locationAfter(step, name) ?? "").length);
  }
  return longest;
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}
