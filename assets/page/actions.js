// What a click on an element with `data-do` does; each part of the page adds its own.
export const ACTIONS = {};

export const on = (more) => Object.assign(ACTIONS, more);
