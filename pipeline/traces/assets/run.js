// A run: what is known of each of its states. State i is reached by step i - 1, and left by step i.

const CHECKPOINT = 100; // so many steps are gone through at most to know a state

class Run {
  constructor(story) {
    Object.assign(this, story);
    this.last = this.steps.length;
    this.checkpoints = [{ values: story.first, holding: story.holding }];
    for (let number = CHECKPOINT; number <= this.last; number += CHECKPOINT) {
      this.checkpoints.push(this.after(this.checkpoints.at(-1), number - CHECKPOINT, number));
    }
    this.laneOf = new Map(story.processes.map((name, i) => [name, i]));
  }

  /** The state that some steps lead to from another one. */
  after(state, from, to) {
    const values = [...state.values];
    const holding = [...state.holding];
    for (let number = from; number < to; number += 1) {
      for (const [variable, value] of this.steps[number].changes) values[variable] = value;
      for (const [proposition, value] of this.steps[number].holding) holding[proposition] = value;
    }
    return { values, holding };
  }

  at(number) {
    const near = Math.floor(number / CHECKPOINT);
    return this.after(this.checkpoints[near], near * CHECKPOINT, number);
  }

  automatonAt(number) {
    return number === 0 ? this.automaton : this.steps[number - 1].automaton;
  }

  /** The step that leads to a state; none leads to the first. */
  to(number) {
    return number === 0 ? null : this.steps[number - 1];
  }

  /** The step that leaves a state; the last state of a lasso is the one in which its cycle begins. */
  from(number) {
    if (number < this.last) return this.steps[number];
    return this.cycle === null ? null : this.steps[this.cycle];
  }

  /** The state after this one: a cycle goes on for ever. */
  next(number) {
    if (number < this.last) return number + 1;
    return this.cycle === null ? number : this.cycle + 1;
  }

  previous(number) {
    return Math.max(0, number - 1);
  }

  /** The next state in which a proposition has another value, or this one. */
  nextChange(number) {
    for (let other = number; other < this.last; other += 1) {
      if (this.steps[other].holding.length) return other + 1;
    }
    return number;
  }

  /** The location that a process comes to by a step, if it comes to another one. */
  locationAfter(step, process) {
    return step.changes.find(([variable]) => this.variables[variable] === process)?.[1];
  }

  describe(number) {
    if (number === 0) return "initial state";
    return this.commands[this.steps[number - 1].command] ?? "no command is enabled";
  }

  /** What is to be said of a state beside what leads there. */
  remark(number) {
    if (number === this.last && this.ending.kind === "cycle") return `back in state ${this.cycle}`;
    if (number === this.cycle) return "the cycle begins";
    return number === this.last ? this.ending.short : "";
  }
}

/** A message as DVE writes it: `data!1`, `data?{1, 2}`. */
function messageText({ channel, way, values }) {
  const text = values.length > 1 ? `{${values.join(", ")}}` : values.join("");
  return `${channel}${way === "received" ? "?" : "!"}${text}`;
}
