// A plot on a canvas: axes, marks, and the mark under the pointer or chosen by the arrow keys.

const MARGIN = { left: 76, right: 14, top: 12, bottom: 46 };
const BAND = 26; // at the far end of an axis, for what has no value
const REACH = 14; // how near the pointer has to be, in pixels

/** The colours of the page, which change with its scheme. */
function colours() {
  const style = getComputedStyle(document.documentElement);
  return new Proxy({}, { get: (_, name) => style.getPropertyValue(`--${name}`).trim() });
}

/** An axis from a range of values; `band` makes room for what has none. */
class Axis {
  constructor({ title, unit, min, max, log, band = false, names = String, spacing = 60 }) {
    Object.assign(this, { title, unit, min, max, log, band, names, spacing });
  }

  static logarithmic(title, unit, values, band = false) {
    let min = Infinity;
    let max = 0;
    for (const value of values) {
      if (value > 0 && value < min) min = value;
      if (value > max) max = value;
    }
    if (!(max > 0)) [min, max] = [1, 10];
    min = unit === "seconds" ? min : Math.max(1, min);
    return new Axis({ title, unit, min: min / 1.25, max: Math.max(max, min * 10) * 1.25, log: true, band });
  }

  place(start, end) {
    const sign = Math.sign(end - start);
    this.start = start;
    this.end = this.band ? end - sign * BAND : end;
    this.edge = end - (sign * BAND) / 2;
    const forward = this.log ? Math.log10 : (value) => value;
    const low = forward(this.min);
    const scale = (this.end - this.start) / (forward(this.max) - low);
    this.at = (value) => {
      if (value === null) return this.edge;
      return this.start + scale * (forward(Math.min(this.max, Math.max(this.min, value))) - low);
    };
  }

  /** Values to write along the axis. */
  ticks(room) {
    return this.log ? logTicks(this.min, this.max, room) : linearTicks(this.min, this.max, room);
  }

  label(value) {
    return this.unit === undefined ? this.names(value) : short(value, this.unit);
  }
}

function short(value, unit) {
  return written(value, unit).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "").replace(" ", unit === "count" ? "" : " ");
}

function logTicks(min, max, room) {
  const decades = Math.log10(max / min);
  const factors = decades < 1.5 ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(decades / room));
  const found = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power += 1) {
    if (power % step !== 0) continue;
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= min && value <= max) found.push(value);
    }
  }
  return found;
}

function linearTicks(min, max, room) {
  const raw = (max - min) / room;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw));
  const found = [];
  for (let value = Math.ceil(min / step) * step; value <= max; value += step) found.push(value);
  return found;
}

class Plot {
  /** `square` keeps both axes equally long; `height` is used otherwise. */
  constructor(holder, { square = false, height = 360, label = "" }) {
    this.holder = holder;
    this.square = square;
    this.fixedHeight = height;
    this.canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": label });
    this.ring = element("span", { class: "ring", hidden: "" });
    holder.replaceChildren(this.canvas, this.ring);
    this.current = -1;
    this.listen();
  }

  listen() {
    this.canvas.addEventListener("pointermove", (event) => this.point(this.nearest(event.offsetX, event.offsetY)));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("blur", () => this.point(-1));
    this.canvas.addEventListener("click", () => this.pick());
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** A scene has axes x and y, marks [{x, y}], draw(context, plot), lines(mark) and perhaps pick(mark). */
  show(scene) {
    this.scene = scene;
    this.draw();
  }

  draw() {
    const width = this.holder.clientWidth;
    if (!this.scene || width === 0) return;
    const side = this.square ? Math.min(width, 620) : width;
    const frame = MARGIN.top + MARGIN.bottom - MARGIN.left - MARGIN.right;
    const height = this.square ? side + frame : this.fixedHeight;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(side * ratio), height: Math.round(height * ratio) });
    Object.assign(this.canvas.style, { width: `${side}px`, height: `${height}px` });
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.ratio = ratio;
    this.box = { left: MARGIN.left, right: side - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    this.scene.x.place(this.box.left, this.box.right);
    this.scene.y.place(this.box.bottom, this.box.top);
    this.theme = colours();
    this.drawAxes(context);
    this.place();
    this.scene.draw(context, this);
    this.point(-1);
  }

  /** Where the marks are, once per drawing: the search under the pointer reads only this. */
  place() {
    const { marks, x, y } = this.scene;
    this.xs = Float32Array.from(marks, (mark) => x.at(mark.x));
    this.ys = Float32Array.from(marks, (mark) => y.at(mark.y));
  }

  drawAxes(context) {
    const { left, right, top, bottom } = this.box;
    const { x, y } = this.scene;
    context.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
    context.fillStyle = this.theme.band;
    if (x.band) context.fillRect(x.end, top, right - x.end, bottom - top);
    if (y.band) context.fillRect(left, top, right - left, y.end - top);
    context.strokeStyle = this.theme.grid;
    context.lineWidth = 1;
    context.fillStyle = this.theme.muted;
    this.drawTicksX(context);
    this.drawTicksY(context);
    context.strokeStyle = this.theme.axis;
    context.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
    this.drawTitles(context);
  }

  drawTicksX(context) {
    const { left, right, top, bottom } = this.box;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const value of this.scene.x.ticks(Math.max(2, (right - left) / this.scene.x.spacing))) {
      const at = Math.round(this.scene.x.at(value)) + 0.5;
      line(context, at, top, at, bottom);
      context.fillText(this.scene.x.label(value), at, bottom + 6);
    }
    if (this.scene.x.band) context.fillText("none", this.scene.x.edge, bottom + 6);
  }

  drawTicksY(context) {
    const { left, right, top, bottom } = this.box;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of this.scene.y.ticks(Math.max(2, (bottom - top) / 36))) {
      const at = Math.round(this.scene.y.at(value)) + 0.5;
      line(context, left, at, right, at);
      context.fillText(this.scene.y.label(value), left - 7, at);
    }
    if (this.scene.y.band) context.fillText("none", left - 7, this.scene.y.edge);
  }

  drawTitles(context) {
    const { left, right, top, bottom } = this.box;
    context.fillStyle = this.theme.text;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillText(this.scene.x.title, (left + right) / 2, bottom + 38);
    context.save();
    context.translate(13, (top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(this.scene.y.title, 0, 0);
    context.restore();
  }

  nearest(x, y) {
    let best = -1;
    let least = REACH * REACH;
    for (let i = 0; this.xs && i < this.xs.length; i += 1) {
      const [dx, dy] = [this.xs[i] - x, this.ys[i] - y];
      const distance = dx * dx + dy * dy;
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }

  point(index) {
    if (index === this.current && index < 0) return;
    this.current = index;
    this.ring.hidden = index < 0;
    this.canvas.style.cursor = index >= 0 && this.scene.pick ? "pointer" : "default";
    if (index < 0) return tooltip.hide();
    const [x, y] = [this.xs[index], this.ys[index]];
    Object.assign(this.ring.style, { left: `${x}px`, top: `${y}px` });
    const box = this.canvas.getBoundingClientRect();
    return tooltip.show(box.left + x, box.top + y, this.scene.lines(this.scene.marks[index]));
  }

  pick() {
    if (this.current >= 0 && this.scene.pick) this.scene.pick(this.scene.marks[this.current]);
  }

  onKey(event) {
    const last = this.xs.length - 1;
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") this.pick();
    if (event.key === "Escape") this.point(-1);
    if (!(event.key in steps) || last < 0) return;
    event.preventDefault();
    this.point(Math.min(last, Math.max(0, this.current + steps[event.key])));
  }
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** The box beside the mark that is pointed at; also read out. */
const tooltip = {
  show(x, y, lines) {
    const box = byId("tooltip");
    box.replaceChildren(...lines.flatMap(([name, text]) =>
      [element("dt", {}, name), element("dd", { class: name === "formula" ? "formula" : null }, text)]));
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
    const top = Math.min(innerHeight - height - 8, Math.max(8, y - height / 2));
    Object.assign(box.style, { left: `${Math.max(8, left)}px`, top: `${top}px` });
  },
  hide() {
    byId("tooltip").hidden = true;
  },
};
