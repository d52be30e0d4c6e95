// The plots: two routes against each other, how many cases each route solves, and the sizes of automata.

const SHAPES = { holds: "circle", violated: "triangle", unknown: "square", disputed: "cross" };
const VERDICT_TITLES = { holds: "holds", violated: "violated", unknown: "no verdict", disputed: "disagreement" };
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const HUES = 8;
const MOST_PAIRS = 6; // more are drawn together

/** What a case is drawn as. */
function classOf(index) {
  return cases.disputed[index] ? "disputed" : data.verdicts[cases.verdict[index]];
}

/** A mark drawn once and stamped often: thousands of paths would be slow. */
function stamp(name, plot) {
  const size = 12;
  const canvas = element("canvas", { width: size * plot.ratio, height: size * plot.ratio });
  const context = canvas.getContext("2d");
  context.scale(plot.ratio, plot.ratio);
  context.translate(size / 2, size / 2);
  context.fillStyle = plot.theme[name];
  context.strokeStyle = plot.theme[name];
  context.globalAlpha = name === "disputed" ? 1 : 0.62;
  trace(context, SHAPES[name]);
  return (target, x, y) => target.drawImage(canvas, x - size / 2, y - size / 2, size, size);
}

function trace(context, shape) {
  context.beginPath();
  if (shape === "circle") context.arc(0, 0, 3.2, 0, 2 * Math.PI);
  if (shape === "square") context.rect(-2.8, -2.8, 5.6, 5.6);
  if (shape === "triangle") [[0, -3.9], [3.6, 2.6], [-3.6, 2.6]].forEach(([x, y]) => context.lineTo(x, y));
  if (shape !== "cross") return context.fill();
  context.lineWidth = 2.2;
  [[-4, -4, 4, 4], [-4, 4, 4, -4]].forEach(([a, b, c, d]) => { context.moveTo(a, b); context.lineTo(c, d); });
  return context.stroke();
}

class Scatter {
  constructor() {
    this.plot = new Plot(byId("scatter-plot"), { square: true, label: "Scatter plot; arrow keys go from point to point" });
    fillRoutes(byId("scatter-x"), 0);
    fillRoutes(byId("scatter-y"), Math.min(1, data.routes.length - 1));
    fill(byId("scatter-counter"), data.work.map((name) => [name, counterNamed(name).title]));
    fill(byId("scatter-pairs"), [["", "any"], ["1", "1"], ["2", "2"], ["3", "3 or more"]]);
    fill(byId("scatter-verdict"), [["", "any"], ["holds", "holds"], ["violated", "violated"]]);
    for (const part of ["x", "y", "counter", "pairs", "verdict"]) {
      byId(`scatter-${part}`).addEventListener("input", () => this.update());
    }
    byId("scatter-swap").addEventListener("click", () => this.swap());
    this.update();
  }

  swap() {
    const [x, y] = [byId("scatter-x"), byId("scatter-y")];
    [x.value, y.value] = [y.value, x.value];
    this.update();
  }

  update() {
    const [x, y] = ["x", "y"].map((part) => Number(byId(`scatter-${part}`).value));
    const counter = counterNamed(byId("scatter-counter").value);
    const marks = scatterMarks(x, y, counter.name, byId("scatter-pairs").value, byId("scatter-verdict").value);
    const values = marks.flatMap((mark) => [mark.x, mark.y]);
    const band = values.includes(null);
    const axis = (route) => Axis.logarithmic(`${counter.title}: ${data.routes[route].name}`, counter.unit, values, band);
    this.plot.show({
      x: axis(x), y: axis(y), marks,
      draw: drawScatter,
      lines: (mark) => scatterLines(mark, x, y, counter),
      pick: (mark) => table.showCase(mark.case),
    });
    this.tell(marks, x, y);
  }

  tell(marks, x, y) {
    const both = marks.filter((mark) => mark.x !== null && mark.y !== null);
    const [nameX, nameY] = [data.routes[x].name, data.routes[y].name];
    const count = (test) => marks.filter(test).length.toLocaleString("en");
    const rows = [
      ["cases of both routes", marks.length.toLocaleString("en")],
      [`less with ${nameY} (below)`, both.filter((mark) => mark.y < mark.x).length.toLocaleString("en")],
      ["equal", both.filter((mark) => mark.y === mark.x).length.toLocaleString("en")],
      [`less with ${nameX} (above)`, both.filter((mark) => mark.y > mark.x).length.toLocaleString("en")],
      [`no result with ${nameX}`, count((mark) => mark.x === null)],
      [`no result with ${nameY}`, count((mark) => mark.y === null)],
    ];
    byId("scatter-facts").replaceChildren(...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
    const present = Object.keys(SHAPES).filter((name) => marks.some((mark) => mark.class === name));
    byId("scatter-legend").replaceChildren(...present.map((name) =>
      element("li", {}, element("span", { class: `key ${SHAPES[name]} ${name}`, "aria-hidden": "true" }), VERDICT_TITLES[name])));
  }
}

/** The cases that both routes were given, from left to right. */
function scatterMarks(x, y, counter, pairs, verdict) {
  const marks = [];
  for (const [index, mine] of byRoute[x]) {
    const other = byRoute[y].get(index);
    if (other === undefined) continue;
    if (pairs !== "" && !hasPairs(other, Number(pairs))) continue;
    if (verdict !== "" && data.verdicts[cases.verdict[index]] !== verdict) continue;
    marks.push({ case: index, class: classOf(index), outcomes: [mine, other], x: result(mine, counter), y: result(other, counter) });
  }
  const place = (value) => value === null ? Infinity : value;
  const compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1);
  return marks.sort((a, b) => compare(place(a.x), place(b.x)) || compare(place(a.y), place(b.y)));
}

/** Seed 003, figure 8: automata with one, two, or more Rabin pairs. */
function hasPairs(outcome, wanted) {
  const pairs = runs.automaton_pairs ? meanOf(outcome, "automaton_pairs") : null;
  return pairs !== null && (wanted < 3 ? pairs === wanted : pairs >= wanted);
}

function result(outcome, counter) {
  return outcomes.finished[outcome] ? meanOf(outcome, counter) : null;
}

function drawScatter(context, plot) {
  const { x, y, marks } = plot.scene;
  context.save();
  context.beginPath();
  context.rect(x.start, y.end, x.end - x.start, y.start - y.end);
  context.clip();
  for (const power of [-2, -1, 0, 1, 2]) {
    context.strokeStyle = power === 0 ? plot.theme.diagonal : plot.theme.axis;
    context.setLineDash(power === 0 ? [] : [5, 4]);
    const shift = ((x.end - x.start) * power) / Math.log10(x.max / x.min);
    line(context, x.start, y.start - shift, x.end, y.end - shift);
  }
  context.restore();
  const stamps = Object.fromEntries(Object.keys(SHAPES).map((name) => [name, stamp(name, plot)]));
  marks.forEach((mark, i) => stamps[mark.class](context, plot.xs[i], plot.ys[i]));
}

function scatterLines(mark, x, y, counter) {
  const side = (route, outcome, value) =>
    [data.routes[route].name, value === null ? (outcomes.finished[outcome] ? MISSING : shortfall(outcome)) : written(value, counter.unit)];
  const lines = [
    ...caseLines(mark.case),
    ["verdict", VERDICT_TITLES[mark.class]],
    side(x, mark.outcomes[0], mark.x),
    side(y, mark.outcomes[1], mark.y),
  ];
  return mark.x > 0 && mark.y > 0 ? [...lines, ["ratio", `×${digits(mark.y / mark.x)}`]] : lines;
}

class Cactus {
  constructor() {
    this.plot = new Plot(byId("cactus-plot"), { height: 420, label: "Cactus plot; arrow keys go from point to point" });
    this.off = new Set(areMany ? data.routes.keys() : []);
    for (const route of areMany ? bestOfKinds(data.work[0]) : []) this.off.delete(route);
    fill(byId("cactus-counter"), data.work.map((name) => [name, counterNamed(name).title]));
    byId("cactus-counter").addEventListener("input", () => this.update());
    this.update();
  }

  update() {
    const counter = counterNamed(byId("cactus-counter").value);
    const series = data.routes.map((_, route) => cactusSeries(route, counter.name));
    const marks = series.flatMap((some) => (this.off.has(some.route) ? [] : some.marks));
    const most = Math.max(1, ...series.map((some) => some.marks.length));
    this.plot.show({
      x: new Axis({ title: "Cases finished", min: 0, max: most * 1.02, log: false }),
      y: Axis.logarithmic(counter.title, counter.unit, marks.map((mark) => mark.y)),
      marks,
      draw: (context, plot) => series.filter((some) => !this.off.has(some.route)).forEach((some) => drawSeries(context, plot, some)),
      lines: (mark) => [["route", data.routes[mark.route].name], ["finished", `${plural(mark.x, "case")} in at most ${written(mark.y, counter.unit)} each`], ...caseLines(mark.case)],
      pick: (mark) => table.showCase(mark.case),
    });
    this.legend(series);
  }

  legend(series) {
    const groups = areMany ? [...byKind] : [[null, [...data.routes.keys()]]];
    const rows = groups.flatMap(([kind, routes]) => [
      ...(kind === null ? [] : [this.heading(kind, routes)]), ...routes.map((route) => this.entry(series[route]))]);
    byId("cactus-legend").replaceChildren(...rows);
  }

  entry({ route, marks }) {
    const button = element("button", { type: "button", "aria-pressed": String(!this.off.has(route)), "data-route": route },
      swatch(route), element("span", {}, data.routes[route].name), element("span", { class: "count" }, String(marks.length)));
    button.addEventListener("click", () => this.toggle(this.off.has(route), [route], `[data-route="${route}"]`));
    return element("li", {}, button);
  }

  /** The name of a kind, which shows all its routes or none. */
  heading(kind, routes) {
    const place = [...byKind.keys()].indexOf(kind);
    const hidden = routes.some((route) => this.off.has(route));
    const button = element("button", { type: "button", class: "group", "data-kind": place, title: hidden ? "Show all" : "Hide all" }, kind);
    button.addEventListener("click", () => this.toggle(hidden, routes, `[data-kind="${place}"]`));
    return element("li", {}, button);
  }

  toggle(isShown, routes, again) {
    for (const route of routes) {
      if (isShown) this.off.delete(route);
      else this.off.add(route);
    }
    this.update();
    byId("cactus-legend").querySelector(again).focus();
  }
}

/** The baseline, and of each kind the route that finished most, or did it with least. */
function bestOfKinds(counter) {
  const best = [...byKind.values()].map((routes) => routes.map((route) => cactusSeries(route, counter))
    .map(({ route, marks }) => ({ route, finished: marks.length, total: marks.reduce((sum, mark) => sum + mark.y, 0) }))
    .sort((a, b) => b.finished - a.finished || a.total - b.total)[0].route);
  return new Set([0, ...best]);
}

/** The values of the cases that a route finished, the least first. */
function cactusSeries(route, counter) {
  const solved = [];
  for (const [index, outcome] of byRoute[route]) {
    const value = result(outcome, counter);
    if (value !== null) solved.push([value, index]);
  }
  solved.sort((a, b) => a[0] - b[0]);
  return { route, marks: solved.map(([y, index], i) => ({ x: i + 1, y, case: index, route })) };
}

function drawSeries(context, plot, { route, marks }) {
  const { x, y } = plot.scene;
  const { hue, dash } = styleOf(route);
  context.strokeStyle = plot.theme[`hue-${hue}`];
  context.setLineDash(DASHES[dash]);
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  for (const mark of marks) context.lineTo(x.at(mark.x), y.at(mark.y));
  context.stroke();
  context.setLineDash([]);
}

/** The colour and the dashes of a route; of many, those of a kind have one colour. */
function styleOf(route) {
  if (!areMany) return { hue: route % HUES, dash: Math.floor(route / HUES) % DASHES.length };
  const { kind } = data.routes[route];
  return { hue: [...byKind.keys()].indexOf(kind) % HUES, dash: byKind.get(kind).indexOf(route) % DASHES.length };
}

function swatch(route) {
  const { hue, dash } = styleOf(route);
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  made.style.borderTopColor = `var(--hue-${hue})`;
  made.style.borderTopStyle = dash ? "dashed" : "solid";
  return made;
}

class Sizes {
  constructor() {
    const named = (names) => names.filter((name) => runs[name]).map((name) => [name, counterNamed(name).title]);
    fill(byId("sizes-x"), named(["automaton_pairs", "automaton_sets"]));
    fill(byId("sizes-y"), named(["automaton_states", "automaton_edges"]));
    for (const part of ["x", "y"]) byId(`sizes-${part}`).addEventListener("input", () => this.update());
    this.routes = areMany ? [...byKind.values()].map(([first]) => first) : [...data.routes.keys()];
    this.plots = this.routes.map((route) => {
      const { name, kind } = data.routes[route];
      const holder = element("div", { class: "plot" });
      byId("sizes-plots").append(element("figure", {}, element("figcaption", {}, areMany ? `${kind} (${name})` : name), holder));
      return new Plot(holder, { height: 250, label: `Sizes of the automata of ${name}` });
    });
    this.update();
  }

  update() {
    const [x, y] = ["x", "y"].map((part) => counterNamed(byId(`sizes-${part}`).value));
    if (!x || !y) return;
    const classes = this.routes.map((route) => sizeClasses(route, x.name, y.name));
    const all = classes.flat();
    const most = Math.max(1, ...all.map((mark) => mark.count));
    this.plots.forEach((plot, i) => plot.show({
      x: pairsAxis(x.title, all),
      y: Axis.logarithmic(y.title, y.unit, all.map((mark) => mark.y)),
      marks: classes[i],
      draw: (context, drawn) => drawBubbles(context, drawn, this.routes[i], most),
      lines: (mark) => [["route", data.routes[this.routes[i]].name], [x.title.toLowerCase(), pairsName(mark.x)], [y.title.toLowerCase(), String(mark.y)], ["automata", String(mark.count)]],
    }));
  }
}

/** As in seed 003, most automata have few pairs; those with many share the last place. */
function pairsAxis(title, marks) {
  const least = marks.some((mark) => mark.x === 0) ? 0 : 1;
  const most = Math.max(4, ...marks.map((mark) => mark.x));
  return new Axis({ title, min: least - 0.7, max: most + 0.7, log: false, names: pairsName, spacing: 25 });
}

function pairsName(pairs) {
  return pairs === MOST_PAIRS ? `${pairs}+` : String(pairs);
}

/** How many cases have an automaton of each size (seed 003, figure 7); an automaton is counted once per case. */
function sizeClasses(route, x, y) {
  const found = new Map();
  for (const outcome of byRoute[route].values()) {
    const [across, up] = [x, y].map((name) => runs[name][outcomes.first[outcome]]);
    if (across === null || up === null) continue;
    const place = Math.min(across, MOST_PAIRS);
    const key = `${place} ${up}`;
    const mark = found.get(key) || { x: place, y: up, count: 0 };
    mark.count += 1;
    found.set(key, mark);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function drawBubbles(context, plot, route, most) {
  context.fillStyle = plot.theme[`hue-${styleOf(route).hue}`];
  plot.scene.marks.forEach((mark, i) => {
    const radius = Math.max(1.8, 15 * Math.sqrt(mark.count / most));
    context.globalAlpha = 0.55;
    context.beginPath();
    context.arc(plot.xs[i], plot.ys[i], radius, 0, 2 * Math.PI);
    context.fill();
  });
  context.globalAlpha = 1;
}
