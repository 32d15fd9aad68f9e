"use strict";
const form = document.querySelector("form");
const words = form.querySelector("input[type=search]");
const count = document.querySelector("output");
const holders = [...document.querySelectorAll("main details")];
const folded = new Map(holders.map(holder => [holder, holder.open]));
const lower = node => node ? node.textContent.toLowerCase() : "";
const articles = new Map([...document.querySelectorAll("article")].map(article => [article, lower(article)]));
const items = [...document.querySelectorAll(".tree li, .steps > li")].map(node => {
  const body = node.querySelector(":scope > details") || node;
  const parts = [...body.querySelectorAll(":scope > p")].concat(body === node ? [] : [...node.querySelectorAll(":scope > p")]);
  return {
    node,
    name: lower(body.querySelector(":scope > summary, :scope > div")) + lower(node.querySelector(":scope > h3")),
    text: parts.map(lower).join(" "),
    articles: [...body.querySelectorAll(":scope > article")],
    holder: body === node ? null : body,
  };
});
const known = new Map(items.map(item => [item.node, item]));
for (const item of items) item.parent = known.get(item.node.parentElement.closest("li"));
const owned = new Set(items.flatMap(item => item.articles));
const loose = [...articles.keys()].filter(article => !owned.has(article));
const links = [...document.querySelectorAll(".index a")].map(link => [link.parentElement, document.getElementById(link.hash.slice(1))]);
let searched = false;
const apply = () => {
  const kinds = new Set([...form.querySelectorAll("input[type=checkbox]")].filter(box => box.checked).map(box => box.value));
  const wanted = words.value.trim().toLowerCase();
  const fits = text => text.includes(wanted);
  let shown = 0;
  for (const article of loose) {
    article.hidden = !kinds.has(article.dataset.kind) || !fits(articles.get(article));
    shown += article.hidden ? 0 : 1;
  }
  for (const item of items) {
    item.named = fits(item.name) || Boolean(item.parent && item.parent.named);
    const told = item.named || fits(item.text);
    for (const article of item.articles) article.hidden = !kinds.has(article.dataset.kind) || !(told || fits(articles.get(article)));
    item.own = item.articles.length ? item.articles.some(article => !article.hidden) : kinds.has("unchanged") && told;
    item.below = false;
    shown += item.own ? 1 : 0;
  }
  for (const item of [...items].reverse()) {
    item.node.hidden = !item.own && !item.below;
    if (item.parent && !item.node.hidden) item.parent.below = true;
    if (item.holder && wanted) item.holder.open = item.below || item.articles.some(article => !article.hidden);
  }
  if (searched && !wanted) for (const [holder, open] of folded) holder.open = open;
  searched = Boolean(wanted);
  for (const [row, article] of links) row.hidden = article.hidden;
  count.textContent = `${shown} of ${items.length + loose.length}`;
};
form.addEventListener("input", apply);
form.addEventListener("submit", event => event.preventDefault());
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || !target.closest("[hidden]")) return;
  form.reset();
  apply();
  target.scrollIntoView();
});
form.hidden = false;
apply();
