/** Returns the element that a selector names. */
export const at = (selector) => document.querySelector(selector);

/** Creates an element. Children are elements or strings. Strings are never parsed as HTML. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') element.addEventListener('click', value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const button = (text, onclick, attributes = {}) =>
  make('button', { type: 'button', ...attributes, onclick }, text);

/** Returns a number with its noun. */
export const counted = (count, one, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
