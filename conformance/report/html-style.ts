/** How the page looks: light and dark by the reader's setting, and nothing wider than a phone of 360 px. */
export const STYLE = `
:root { color-scheme: light dark; --page: #fff; --raised: #f4f5f7; --text: #1b1f24; --quiet: #545c66;
  --line: #d3d8de; --link: #0a58b5; --good: #176b2f; --bad: #b3141f; --warn: #7d5400; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --raised: #1e2329; --text: #e4e8ec; --quiet: #a3adb8;
  --line: #3a424c; --link: #7ab5ff; --good: #5ccb7a; --bad: #ff8f87; --warn: #e2b64b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.top { display: flex; gap: 1rem; align-items: center; }
.grade { flex: none; min-width: 4.5rem; padding: .4rem .6rem; border: 3px solid; border-radius: .6rem; text-align: center;
  font-size: 2.2rem; font-weight: 700; line-height: 1.1; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .quiet { color: var(--quiet); }
.diagnosis { border-left: 4px solid var(--warn); padding: .25rem .75rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .4rem; border-bottom: 1px solid var(--line); text-align: right; overflow-wrap: normal; }
th:first-child { text-align: left; } thead th { font-size: .85rem; color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 400; }
form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center;
  margin: 1.5rem 0 0; padding: .6rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
form fieldset { display: flex; flex-wrap: wrap; gap: .2rem .8rem; margin: 0; padding: 0; border: 0; }
form legend { float: left; margin-right: .8rem; padding: 0; }
form label { white-space: nowrap; } select, button { font: inherit; max-width: 100%; }
[hidden] { display: none !important; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; scroll-margin-top: 8rem; }
summary { padding: .45rem .7rem; cursor: pointer; }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised); }
.inside { padding: .25rem .7rem .7rem; }
.outcome { display: inline-block; min-width: 4.8rem; font-weight: 700; }
.tag { font-size: .85rem; color: var(--quiet); white-space: nowrap; }
dl { margin: .5rem 0; } dt { font-weight: 600; } dd { margin: 0 0 .4rem; }
.rules div { display: flex; gap: .75rem; } .rules dt { flex: none; width: 1.6rem; } .rules dd { margin: 0; }
.facts div { display: inline-block; margin-right: 1.25rem; } .facts dt, .facts dd { display: inline; }
.facts dt { color: var(--quiet); font-weight: 400; } .facts dt::after { content: ':'; }
pre { margin: .25rem 0; padding: .5rem .6rem; background: var(--raised); border-radius: .3rem; white-space: pre-wrap;
  font: .85rem/1.45 ui-monospace, monospace; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
@media print { form { display: none; } }
@media (max-width: 30rem) { body { padding: 1rem .75rem 3rem; }
  th, td { padding: .25rem .15rem; font-size: .8rem; } thead th { font-size: .64rem; }
  form { position: static; } .grade { min-width: 3.4rem; font-size: 1.7rem; } }
`
