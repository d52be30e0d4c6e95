// Elements of a page. Text always enters as text, never as HTML.

/** Return the element with this id. */
function byId(id) {
  return document.getElementById(id);
}

/** Make an element; `children` are elements or texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Fill a <select> with [value, text] pairs. */
function fill(select, pairs, chosen) {
  select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
  if (chosen !== undefined) select.value = String(chosen);
}

/** The same in groups, each with its name. */
function fillGroups(select, groups, chosen) {
  select.replaceChildren(...groups.map(([label, pairs]) =>
    element("optgroup", { label }, ...pairs.map(([value, text]) => element("option", { value }, text)))));
  if (chosen !== undefined) select.value = String(chosen);
}

function plural(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
