// The table of runs: only the rows in view exist, so that any number of runs scrolls, filters and sorts at once.

const ROW_HEIGHT = 30;
const OVERSCAN = 8;

class RunTable {
  constructor() {
    this.view = byId("runs-view");
    this.body = byId("runs-body");
    this.columns = this.makeColumns();
    this.order = Uint32Array.from(runs.case.keys());
    this.shown = this.order;
    this.sorted = { column: null, ascending: true };
    this.active = -1;
    this.onlyCase = null;
    this.makeHead();
    this.makeFilters();
    this.view.addEventListener("scroll", () => this.render(), { passive: true });
    this.view.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.render()).observe(this.view);
    this.refilter();
  }

  makeColumns() {
    const text = (name, title, width, table, index) => ({
      name, title, width, text: (run) => table[index(run)], key: this.ranked(table, index),
    });
    const longestId = Math.max(...data.formulaIds.map((id) => id.length));
    const columns = [
      text("model", "Model", 130, data.models, (run) => cases.model[runs.case[run]]),
      text("id", "Id", Math.min(150, Math.max(70, 8 * longestId)), data.formulaIds, (run) => cases.formulaId[runs.case[run]]),
      text("formula", "Formula", 280, data.formulas, (run) => cases.formula[runs.case[run]]),
      text("route", "Route", 130, data.routes.map((route) => route.name), (run) => runs.route[run]),
      text("verdict", "Verdict", 105, data.endTitles, (run) => runs.end[run]),
    ];
    if (Math.max(...data.repetitions) > 0 || data.repetitions.length > 1) {
      columns.push({
        name: "repetition", title: "Rep.", width: 55, numeric: true,
        text: (run) => String(runs.repetition[run]), key: (run) => runs.repetition[run],
      });
    }
    for (const counter of data.counters) {
      columns.push({
        name: counter.name, title: counter.title, width: 118, numeric: true,
        text: (run) => exact(runs[counter.name][run], counter.unit), key: (run) => runs[counter.name][run],
      });
    }
    return columns;
  }

  /** Texts are compared once per distinct text, not once per pair of rows. */
  ranked(table, index) {
    const collator = new Intl.Collator("en", { numeric: true });
    const order = table.map((_, i) => i).sort((a, b) => collator.compare(table[a], table[b]));
    const rank = new Uint32Array(table.length);
    order.forEach((entry, i) => { rank[entry] = i; });
    return (run) => rank[index(run)];
  }

  makeHead() {
    const columns = this.columns.map(({ width }) => {
      const made = element("col");
      made.style.width = `${width}px`;
      return made;
    });
    byId("runs-columns").replaceChildren(...columns);
    byId("runs-table").style.width = `${this.columns.reduce((sum, { width }) => sum + width, 0)}px`;
    this.heads = this.columns.map((column) => this.makeTitle(column));
    byId("runs-head").replaceChildren(...this.heads);
  }

  makeTitle(column) {
    const button = element("button", { type: "button", title: `Sort by ${column.title}` }, column.title);
    button.addEventListener("click", () => this.sortBy(column));
    return element("th", { scope: "col", class: column.numeric ? "number" : null, "data-column": column.name }, button);
  }

  makeFilters() {
    const all = ["", "all"];
    fillRoutes(byId("runs-route"), undefined, [all]);
    byId("runs-route").value = "";
    fill(byId("runs-verdict"), [all, ...data.endTitles.map((title, i) => [i, title])]);
    fill(byId("runs-model"), [all, ...data.models.map((model, i) => [i, model])]);
    for (const id of ["runs-filter", "runs-route", "runs-verdict", "runs-model"]) {
      byId(id).addEventListener("input", () => this.refilter());
    }
    byId("runs-reset").addEventListener("click", () => this.reset());
  }

  reset() {
    for (const id of ["runs-filter", "runs-route", "runs-verdict", "runs-model"]) byId(id).value = "";
    this.onlyCase = null;
    this.refilter();
  }

  /** Show the runs of one case, as a click on a point asks for. */
  showCase(index) {
    this.reset();
    this.onlyCase = index;
    this.refilter();
    this.activate(0);
    byId("runs").scrollIntoView({ behavior: reducedMotion() ? "auto" : "smooth" });
    this.view.focus({ preventScroll: true });
  }

  sortBy(column) {
    const again = this.sorted.column === column;
    this.sorted = { column, ascending: again ? !this.sorted.ascending : true };
    this.order = sortedBy(column, this.sorted.ascending);
    this.columns.forEach((some, i) => {
      const direction = this.sorted.ascending ? "ascending" : "descending";
      if (some === column) this.heads[i].setAttribute("aria-sort", direction);
      else this.heads[i].removeAttribute("aria-sort");
    });
    this.refilter();
  }

  refilter() {
    const tests = makeTests(byId("runs-filter").value, this.onlyCase);
    this.shown = this.order.filter((run) => tests.every((test) => test(run)));
    const all = runs.case.length;
    const number = this.shown.length;
    byId("runs-count").textContent =
      number === all ? plural(all, "run") : `${number.toLocaleString("en")} of ${plural(all, "run")}`;
    byId("runs-table").setAttribute("aria-rowcount", String(number + 1));
    this.active = -1;
    this.view.scrollTop = 0;
    this.render();
    this.showDetails();
  }

  render() {
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW_HEIGHT) - OVERSCAN);
    const last = Math.min(this.shown.length, first + Math.ceil(this.view.clientHeight / ROW_HEIGHT) + 2 * OVERSCAN);
    const rows = [];
    for (let i = first; i < last; i += 1) rows.push(this.makeRow(i));
    const below = Math.max(0, this.shown.length - last);
    this.body.replaceChildren(this.makeGap(first), ...rows, this.makeGap(below));
    byId("runs-empty").hidden = this.shown.length > 0;
  }

  makeGap(rows) {
    const gap = element("tr", { class: "gap", "aria-hidden": "true" }, element("td", { colspan: this.columns.length }));
    gap.firstChild.style.height = `${rows * ROW_HEIGHT}px`;
    return gap;
  }

  makeRow(index) {
    const run = this.shown[index];
    const cells = this.columns.map((column) => {
      const text = column.text(run);
      const cell = element("td", { class: column.numeric ? "number" : column.name }, text);
      if (!column.numeric) cell.title = text;
      return cell;
    });
    const disputed = cases.disputed[runs.case[run]];
    const row = element("tr", { "aria-rowindex": index + 2, "data-index": index, id: `run-${index}` }, ...cells);
    row.classList.add(`end-${data.ends[runs.end[run]]}`);
    row.classList.toggle("disputed", Boolean(disputed));
    row.classList.toggle("active", index === this.active);
    return row;
  }

  onClick(event) {
    const row = event.target.closest("tr[data-index]");
    if (row) this.activate(Number(row.dataset.index));
  }

  onKey(event) {
    if (event.target !== this.view) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW_HEIGHT) - 2);
    const end = this.shown.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || end < 0) return;
    event.preventDefault();
    this.activate(Math.min(end, Math.max(0, this.active + steps[event.key])));
  }

  activate(index) {
    if (index >= this.shown.length) return;
    this.active = index;
    const top = index * ROW_HEIGHT;
    const head = byId("runs-head").offsetHeight;
    const room = this.view.clientHeight - head - ROW_HEIGHT;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    if (top > this.view.scrollTop + room) this.view.scrollTop = top - room;
    this.render();
    this.view.setAttribute("aria-activedescendant", `run-${index}`);
    this.showDetails();
  }

  /** What does not fit into a row: whole texts, the message of a failure. */
  showDetails() {
    const box = byId("runs-details");
    if (this.active < 0) {
      box.replaceChildren();
      this.view.removeAttribute("aria-activedescendant");
      return;
    }
    const run = this.shown[this.active];
    const route = data.routes[runs.route[run]];
    const lines = [
      ...caseLines(runs.case[run]),
      ["route", `${route.name}: ${route.checker} on a ${route.kind}, ${plural(route.workers, "worker")}`],
      ["ended", data.endTitles[runs.end[run]]],
      ["message", data.messages[runs.message[run]]],
      ["trace", byId(`story-${runs.case[run]}`) && element("a", { href: `#trace-${runs.case[run]}` }, "a counterexample of this case")],
    ];
    box.replaceChildren(...lines.filter(([, text]) => text).flatMap(([name, text]) => [
      element("dt", {}, name), element("dd", { class: name }, text),
    ]));
  }
}

/** Sort the runs by a column; what is missing comes last either way. */
function sortedBy(column, ascending) {
  const keys = new Float64Array(runs.case.length);
  for (let run = 0; run < keys.length; run += 1) {
    const key = column.key(run);
    keys[run] = key === null ? Infinity : ascending ? key : -key;
  }
  return Uint32Array.from(runs.case.keys()).sort((a, b) => {
    if (keys[a] === keys[b]) return a - b;
    return keys[a] < keys[b] ? -1 : 1;
  });
}

/** The tests that a run must pass: the choices, and every word of the filter. */
function makeTests(text, onlyCase) {
  const tests = [];
  const chosen = (id) => byId(id).value === "" ? null : Number(byId(id).value);
  const [route, end, model] = ["runs-route", "runs-verdict", "runs-model"].map(chosen);
  if (route !== null) tests.push((run) => runs.route[run] === route);
  if (end !== null) tests.push((run) => runs.end[run] === end);
  if (model !== null) tests.push((run) => cases.model[runs.case[run]] === model);
  if (onlyCase !== null) tests.push((run) => runs.case[run] === onlyCase);
  return tests.concat(text.trim().split(/\s+/).filter(Boolean).map(makeTest));
}

/** `states>1000` compares a counter; any other word must occur in a text of the run. */
function makeTest(word) {
  const match = /^([a-z_]+)(<=|>=|<|>|=)([\d.e+-]+)$/i.exec(word);
  if (match && runs[match[1]] && counterNamed(match[1])) return makeComparison(...match.slice(1));
  const needle = word.toLowerCase();
  const hits = (table) => table.map((entry) => entry.toLowerCase().includes(needle));
  const [models, ids, formulas, ends, messages] =
    [data.models, data.formulaIds, data.formulas, data.endTitles, data.messages].map(hits);
  const routes = hits(data.routes.map((route) => `${route.name} ${route.kind} ${route.checker}`));
  const inCase = cases.model.map((model, i) => models[model] || ids[cases.formulaId[i]] || formulas[cases.formula[i]]);
  return (run) => inCase[runs.case[run]] || routes[runs.route[run]] || ends[runs.end[run]] || messages[runs.message[run]];
}

function makeComparison(counter, operator, number) {
  const column = runs[counter];
  const bound = Number(number);
  const compare = {
    "<": (value) => value < bound, ">": (value) => value > bound, "=": (value) => value === bound,
    "<=": (value) => value <= bound, ">=": (value) => value >= bound,
  }[operator];
  return (run) => column[run] !== null && compare(column[run]);
}

function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
