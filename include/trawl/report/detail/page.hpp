// SPDX-License-Identifier: MIT
#pragma once

/// The style sheet and the script of a report's page.

#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::string_view report_style = R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--quiet:#59636e;--rule:#d5dae0;--soft:#f4f6f8;--link:#0a58ca;
--good:#177245;--bad:#b3261e;--mark:#fff3c4;
--s0:#0072b2;--s1:#d55e00;--s2:#00805f;--s3:#b1488a;--s4:#8a6d00;--s5:#2a8bbd;--s6:#5b5bd6;--s7:#6b7280}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--paper:#14171b;--ink:#e6e9ee;--quiet:#a0a9b4;
--rule:#353b44;--soft:#1d2127;--link:#7ab7ff;--good:#55c28a;--bad:#ff8a80;--mark:#38320f;
--s0:#56b4e9;--s1:#ff9550;--s2:#35c79b;--s3:#e49ac4;--s4:#e6c34a;--s5:#8fd3f7;--s6:#a5a5ff;--s7:#aab2bd}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;--paper:#14171b;--ink:#e6e9ee;--quiet:#a0a9b4;
--rule:#353b44;--soft:#1d2127;--link:#7ab7ff;--good:#55c28a;--bad:#ff8a80;--mark:#38320f;
--s0:#56b4e9;--s1:#ff9550;--s2:#35c79b;--s3:#e49ac4;--s4:#e6c34a;--s5:#8fd3f7;--s6:#a5a5ff;--s7:#aab2bd}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:baseline;padding-top:1.2rem}
h1{font-size:1.6rem;line-height:1.2;margin:0;flex:1 1 16rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:0 0 .3rem}
p{margin:.4rem 0}.quiet,footer,figcaption{color:var(--quiet);font-size:.9rem}footer{padding-top:2rem;padding-bottom:2rem}
a{color:var(--link)}
button,input{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--rule);border-radius:.4rem;padding:.25rem .6rem}
button{cursor:pointer}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.3rem .6rem}
.says{margin:.8rem 0;padding:.2rem 0 .2rem 1.4rem}
.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:.5rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:.35rem .6rem;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top}
tbody tr:last-child>*{border-bottom:0}td.n,th.n{text-align:right;white-space:nowrap}
thead th{background:var(--soft);white-space:nowrap}
tbody th{font-weight:600;overflow-wrap:anywhere;min-width:7rem}#queries tbody th{min-width:11rem}th .quiet{font-weight:400}
th button{border:0;background:none;padding:0;font-weight:600}
thead th button::after{content:"\2195";color:var(--quiet);padding-left:.25rem;font-size:.8em}
thead th[aria-sort=ascending] button::after{content:"\2191"}thead th[aria-sort=descending] button::after{content:"\2193"}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27rem),1fr));gap:1rem}
figure{margin:0;border:1px solid var(--rule);border-radius:.5rem;padding:.8rem}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--quiet);font-size:12px}svg text.group{fill:var(--ink);font-weight:600}
.grid{stroke:var(--rule);stroke-width:1}.zero{stroke:var(--ink);stroke-width:1}
.line,.front{fill:none;stroke-width:2}.front{stroke:var(--quiet);stroke-dasharray:4 3}.dashed{stroke-dasharray:6 3}
.whisker{stroke-width:2}.dot{stroke:var(--paper);stroke-width:1}
.won{fill:var(--s0)}.lost{fill:var(--s1)}rect[data-q]{cursor:pointer}rect[data-q]:hover{fill:var(--ink)}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}.s6{--c:var(--s6)}.s7{--c:var(--s7)}
.line,.whisker{stroke:var(--c)}.dot{fill:var(--c)}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;padding:0;margin:.3rem 0 0;font-size:.9rem}
.legend li::before{content:"";display:inline-block;width:.8rem;height:.25rem;border-radius:.1rem;background:var(--c);margin-right:.4rem;vertical-align:middle}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.6rem 0}
.tools input{flex:1 1 12rem;max-width:24rem}
.q{display:block;text-align:left;border:0;background:none;padding:0;color:var(--link);text-decoration:underline;overflow-wrap:anywhere}
.open>td,.open>th{background:var(--soft)}
.detail>td{background:var(--soft);padding:.8rem}
.detail .ranks{position:sticky;left:.8rem;max-width:calc(min(76rem,100vw) - 3.8rem)}
.ranks{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:1rem}
.ranks ol{margin:.3rem 0;padding:0;list-style:none}
.ranks ol>li{padding:.25rem .4rem;border-bottom:1px solid var(--rule);overflow-wrap:anywhere}
.ranks ol>li.right{border-left:.3rem solid var(--good);background:var(--mark)}
.ranks .rank{color:var(--quiet);min-width:1.6rem;display:inline-block}
.grade{font-size:.85em;border:1px solid currentColor;border-radius:.3rem;padding:0 .3rem;margin-left:.3rem;white-space:nowrap}
.right .grade{color:var(--good)}.wrong .grade{color:var(--bad)}.score{float:right;color:var(--quiet);margin-left:.6rem}
details ul{margin:0;padding-left:1rem;font-size:.88rem}.ranks details>ul{overflow-x:auto;white-space:nowrap}.ranks details ul ul{font-size:1em}summary{cursor:pointer;color:var(--quiet);font-size:.9rem}
@media (max-width:40rem){body{font-size:15px}th,td{padding:.3rem .45rem}h1{font-size:1.3rem}}
@media print{.tools,.skip,#theme{display:none}.scroll{overflow:visible}}
)css";

inline constexpr std::string_view report_script = R"js(
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const make = (name, style, text) => {
  const e = document.createElement(name);
  if (style) e.className = style;
  if (text !== undefined) e.textContent = text;
  return e;
};
const fixed = x => x === 0 || Math.abs(x) >= 1e-3 ? String(+x.toPrecision(5)) : x.toExponential(2);

// Light and dark: the system's choice until the button says otherwise.
const root = document.documentElement, theme = document.getElementById('theme');
const kept = () => { try { return localStorage.getItem('trawl-theme'); } catch { return null; } };
const show = name => {
  if (name) root.dataset.theme = name; else delete root.dataset.theme;
  theme.textContent = 'Theme: ' + (name || 'system');
};
show(kept());
theme.addEventListener('click', () => {
  const order = ['', 'light', 'dark'], next = order[(order.indexOf(root.dataset.theme || '') + 1) % 3];
  try { localStorage.setItem('trawl-theme', next); } catch { }
  show(next);
});

// Tables are sorted by the buttons in their heads; empty cells stay last.
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
    close();
    const up = head.getAttribute('aria-sort') === 'descending' || !head.classList.contains('n') && head.getAttribute('aria-sort') !== 'ascending';
    heads.forEach(h => h.setAttribute('aria-sort', 'none'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const body = table.tBodies[0], key = row => {
      const cell = row.cells[column], v = cell.dataset.v;
      return v !== undefined ? +v : cell.textContent.trim();
    };
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (a === '' || b === '') return (a === '') - (b === '');
      const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true});
      return up ? order : -order;
    });
    body.append(...rows.map(([, row]) => row));
  }));
}

// A query's rankings, side by side.
const tree = node => {
  const [value, operation, label, parts] = node, item = make('li', '', fixed(value) + ' ' + (operation === 'leaf' ? '' : operation + ': ') + label);
  if (parts) { const list = make('ul'); parts.forEach(p => list.append(tree(p))); item.append(list); }
  return item;
};
const named = (place, document) => {
  const [key, title] = data.documents[document];
  place.append(make('b', '', key));
  if (title) place.append(' ', make('span', '', title));
};
const rankings = query => {
  const box = make('div', 'ranks');
  data.systems.forEach((system, s) => {
    const part = make('section'), list = make('ol');
    part.append(make('h3', '', system));
    part.append(make('p', 'quiet', data.measures.map((m, i) => m + ' ' + (+query.values[s][i]).toFixed(4)).join(', ')));
    query.hits[s].forEach(([document, score, grade, why], i) => {
      const item = make('li', grade > 0 ? 'right' : grade === null ? '' : 'wrong');
      item.append(make('span', 'score', fixed(score)), make('span', 'rank', i + 1));
      named(item, document);
      item.append(make('span', 'grade', grade === null ? 'not judged' : 'grade ' + grade));
      if (why) {
        const more = make('details'), list = make('ul');
        list.append(tree(why));
        more.append(make('summary', '', 'why'), list);
        item.append(more);
      }
      list.append(item);
    });
    part.append(list);
    const rest = query.retrieved[s] - query.hits[s].length;
    part.append(make('p', 'quiet', rest > 0 ? 'and ' + rest + ' more' : query.retrieved[s] ? 'no more' : 'nothing found'));
    box.append(part);
  });
  const right = make('section');
  right.append(make('h3', '', 'Relevant documents'));
  const list = make('ol');
  query.answers.forEach(([document, grade, ranks]) => {
    const item = make('li', 'right');
    named(item, document);
    item.append(make('span', 'grade', 'grade ' + grade));
    item.append(make('div', 'quiet', data.systems.map((s, i) => s + ': ' + (ranks[i] ? 'rank ' + ranks[i] : 'not found')).join(', ')));
    list.append(item);
  });
  right.append(list);
  if (!query.answers.length) right.append(make('p', 'quiet', 'none is known'));
  box.append(right);
  return box;
};
let opened = null;
const close = () => {
  if (!opened) return;
  opened.row.classList.remove('open');
  opened.button.setAttribute('aria-expanded', 'false');
  opened.detail.remove();
  opened = null;
};
const open = button => {
  const again = opened && opened.button === button;
  close();
  if (again) return;
  const row = button.closest('tr'), detail = make('tr', 'detail'), cell = make('td');
  cell.colSpan = row.cells.length;
  cell.append(rankings(data.queries[+button.dataset.i]));
  detail.append(cell);
  row.after(detail);
  row.classList.add('open');
  button.setAttribute('aria-expanded', 'true');
  opened = {button, row, detail};
};
const buttons = [...document.querySelectorAll('button.q')];
buttons.forEach(b => b.addEventListener('click', () => open(b)));
const go = key => {
  const button = buttons.find(b => data.queries[+b.dataset.i].key === key);
  if (!button) return;
  button.closest('tr').hidden = false;
  if (!opened || opened.button !== button) open(button);
  button.scrollIntoView({block: 'start'});
  button.focus({preventScroll: true});
};
document.addEventListener('click', e => { const q = e.target.dataset && e.target.dataset.q; if (q !== undefined) go(q); });
document.addEventListener('keydown', e => {
  if (e.key !== 'Escape' || !opened) return;
  const button = opened.button;
  close();
  button.focus();
});
const asked = () => { if (location.hash.startsWith('#q=')) go(decodeURIComponent(location.hash.slice(3))); };
addEventListener('hashchange', asked);

// Only queries with these words, or where systems differ.
const words = document.getElementById('words'), differ = document.getElementById('differ'), count = document.getElementById('count');
const choose = () => {
  close();
  const wanted = words.value.toLowerCase().split(/\s+/).filter(w => w);
  let n = 0;
  buttons.forEach(b => {
    const q = data.queries[+b.dataset.i], text = (q.key + ' ' + q.text).toLowerCase();
    const seen = wanted.every(w => text.includes(w)) && !(differ.checked && q.values.every(v => v[0] === q.values[0][0]));
    b.closest('tr').hidden = !seen;
    n += seen;
  });
  count.textContent = n + ' of ' + buttons.length;
};
words.addEventListener('input', choose);
differ.addEventListener('change', choose);
choose();
asked();
})();
)js";

} // namespace detail
TRAWL_END_NAMESPACE
