// What the page shows, and how numbers are written.

const data = JSON.parse(document.getElementById("data").textContent);
const { runs, cases, outcomes } = data;
const MISSING = "–";

const MANY_ROUTES = 12; // more are read in groups
const areMany = data.routes.length > MANY_ROUTES;

/** The routes by kind of automaton, in order. */
const byKind = new Map();
data.routes.forEach(({ kind }, route) => byKind.set(kind, [...(byKind.get(kind) ?? []), route]));

/** Fill a <select> with the routes, in groups where there are many. */
function fillRoutes(select, chosen, first = []) {
  const pair = (route) => [route, data.routes[route].name];
  if (!areMany) return fill(select, [...first, ...data.routes.map((_, route) => pair(route))], chosen);
  fillGroups(select, [...byKind].map(([kind, routes]) => [kind, routes.map(pair)]), chosen);
  return select.prepend(...first.map(([value, text]) => element("option", { value }, text)));
}

/** Three significant digits, and no exponent unless the number is tiny. */
function digits(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const rounded = Math.abs(Number(value.toPrecision(3)));
  const places = Math.max(0, 2 - Math.floor(Math.log10(rounded)));
  return places <= 6 ? value.toFixed(places) : value.toPrecision(2);
}

function scaled(value, step, units) {
  let power = 0;
  while (value >= step * 0.9995 && power < units.length - 1) {
    value /= step;
    power += 1;
  }
  return `${digits(value)} ${units[power]}`.trim();
}

/** A number for people, as in the tables: `4.02 M`, `1.70 ms`, `12.0 MiB`. */
function written(value, unit) {
  if (value === null || value === undefined) return MISSING;
  if (unit === "seconds") {
    if (value < 1e-3) return `${digits(value * 1e6)} µs`;
    return value < 1 ? `${digits(value * 1e3)} ms` : `${digits(value)} s`;
  }
  if (unit === "bytes") return scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]);
  if (Number.isInteger(value) && value < 10000) return String(value);
  return scaled(value, 1000, ["", "k", "M", "G", "T", "P"]);
}

/** A number for the table of runs: a count in full. */
function exact(value, unit) {
  if (value === null || value === undefined) return MISSING;
  return unit === "count" ? value.toLocaleString("en") : written(value, unit);
}

function counterNamed(name) {
  return data.counters.find((counter) => counter.name === name);
}

/** The runs of an outcome lie side by side, from its `first` to the next outcome's. */
function lastRun(outcome) {
  return outcome + 1 < outcomes.first.length ? outcomes.first[outcome + 1] : runs.case.length;
}

/** The mean of a counter over the repetitions of an outcome; null where one is missing. */
function meanOf(outcome, counter) {
  const column = runs[counter];
  let sum = 0;
  const first = outcomes.first[outcome];
  const last = lastRun(outcome);
  for (let run = first; run < last; run += 1) {
    if (column[run] === null) return null;
    sum += column[run];
  }
  return sum / (last - first);
}

/** For each route, a map from case to outcome. */
const byRoute = data.routes.map(() => new Map());
outcomes.case.forEach((inCase, outcome) => byRoute[outcomes.route[outcome]].set(inCase, outcome));

/** Why an outcome has no result: how its first run without a verdict ended. */
function shortfall(outcome) {
  for (let run = outcomes.first[outcome]; run < lastRun(outcome); run += 1) {
    const end = data.ends[runs.end[run]];
    if (end !== "holds" && end !== "violated") return data.endTitles[runs.end[run]].toLowerCase();
  }
  return "contradicts itself";
}

/** The lines that name a case. */
function caseLines(index) {
  return [
    ["model", data.models[cases.model[index]]],
    ["formula", data.formulas[cases.formula[index]]],
  ];
}
