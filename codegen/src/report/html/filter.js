"use strict";
const form = document.querySelector("form");
const words = form.querySelector("input[type=search]");
const articles = [...document.querySelectorAll("article")];
const groups = [...document.querySelectorAll("main details")].reverse();
const count = document.querySelector("output");
const apply = () => {
  const kinds = new Set([...form.querySelectorAll("input[type=checkbox]")].filter(box => box.checked).map(box => box.value));
  const wanted = words.value.toLowerCase();
  let shown = 0;
  for (const article of articles) {
    article.hidden = !kinds.has(article.dataset.kind) || !article.textContent.toLowerCase().includes(wanted);
    shown += article.hidden ? 0 : 1;
  }
  for (const group of groups) group.hidden = !group.querySelector("article:not([hidden])");
  count.textContent = `${shown} of ${articles.length}`;
};
form.addEventListener("input", apply);
form.addEventListener("submit", event => event.preventDefault());
form.hidden = false;
apply();
