import { PRINT } from './print.ts'

/** Light, or dark where the reader's system asks for it. Every pair that is used has a contrast of 7 or more. */
const COLOURS = `
:root { color-scheme: light dark; --page: #fff; --raised: #f5f6f8; --text: #1b1f24; --quiet: #48505a;
  --line: #d5dae0; --link: #084c9e; --good: #115a27; --bad: #9e111b; --warn: #684500; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #14171b; --raised: #1d2228; --text: #e4e8ec;
  --quiet: #a3adb8; --line: #39414b; --link: #7ab5ff; --good: #5ccb7a; --bad: #ff8f87; --warn: #e2b64b; } }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .quiet { color: var(--quiet); }
`

const TEXT = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 58rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0; line-height: 1.2; } h1 span { display: block; margin-top: .3rem;
  font-size: 1rem; line-height: 1.4; font-weight: 400; color: var(--quiet); }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .6rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .5rem 0; } ul { margin: 0; padding: 0; list-style: none; } dl { margin: .5rem 0; } dd { margin: 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
code, pre, .links { font-family: ui-monospace, monospace; } code, .links { font-size: .9em; }
pre { margin: .25rem 0 .6rem; padding: .5rem .65rem; background: var(--raised); border-radius: .3rem;
  white-space: pre-wrap; font-size: .82rem; line-height: 1.5; }
pre.long { max-height: 22rem; overflow: auto; }
.tag { font-size: .85rem; color: var(--quiet); } .label, dt { font-weight: 600; } .label { margin-bottom: .2rem; }
`

const TOP = `
.top { display: flex; gap: 1.25rem; align-items: flex-start; } .top > div { flex: 1; min-width: 0; }
.grade { flex: none; min-width: 5rem; margin: 0; padding: .45rem .6rem .55rem; border-radius: .6rem; text-align: center;
  font-size: 2.6rem; font-weight: 700; line-height: 1; }
.grade { color: var(--page); } .grade span { display: block; font-size: .75rem; font-weight: 600; margin-bottom: .2rem; }
.grade.good { background: var(--good); } .grade.bad { background: var(--bad); } .grade.warn { background: var(--warn); }
.bar { display: block; width: 100%; height: .5rem; margin: .7rem 0; border-radius: .25rem; background: var(--line); }
.bar rect { fill: currentColor; }
.diagnosis { margin: 1rem 0; border-left: 4px solid var(--warn); padding: .6rem .9rem; background: var(--raised);
  font-weight: 600; }
.rules div { display: flex; gap: .75rem; padding: .15rem .4rem; } .rules dt { flex: none; width: 1.6rem; }
.rules .own { background: var(--raised); box-shadow: inset 3px 0 var(--text); }
.facts { font-size: .9rem; } .facts div { display: inline-block; margin-right: 1.25rem; }
.facts dt, .facts dd { display: inline; } .facts dt { color: var(--quiet); font-weight: 400; } .facts dt::after { content: ':'; }
.cards > li { margin: .6rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--bad);
  border-radius: .3rem; color: inherit; } .cards > .warn { border-left-color: var(--warn); }
.cards > li > :first-child { margin-top: 0; }
.links { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; }
`

const SIDE = `
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid var(--line); text-align: right; overflow-wrap: normal; }
th:first-child { text-align: left; padding-left: 0; } thead th { font-size: .85rem; color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 400; } td { font-weight: 600; } td.good { font-weight: 400; }
.side { display: contents; }
form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.1rem; align-items: center;
  margin: 1.5rem 0 0; padding: .7rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
fieldset { display: flex; flex-wrap: wrap; gap: .3rem 1rem; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { float: left; margin-right: 1rem; padding: 0; } form label { white-space: nowrap; }
select, button { font: inherit; max-width: 100%; padding: .25rem .6rem; color: var(--text); background: var(--page);
  border: 1px solid var(--quiet); border-radius: .3rem; } button { cursor: pointer; } button:hover { background: var(--raised); }
html { scroll-padding-top: 7rem; }
`

const CASES = `
details { border: 1px solid var(--line); border-radius: .3rem; margin: .4rem 0; }
summary { padding: .45rem .75rem; cursor: pointer; } summary:hover { background: var(--raised); }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised); }
.inside { padding: .35rem .75rem .75rem; }
.outcome { display: inline-block; min-width: 5.2rem; padding: 0 .5rem; border-radius: .2rem; font-size: .85rem;
  margin-right: .3rem; font-weight: 700; text-align: center; }
.outcome.bad { background: var(--bad); color: var(--page); } .outcome.warn { box-shadow: inset 0 0 0 1.5px currentColor; }
.outcome.good { font-weight: 600; }
.cases section > details { margin: 0; border-radius: 0; } .cases section > details:not(:first-of-type) { border-top: 0; }
.contract { padding-left: .75rem; border-left: 3px solid var(--line); } cite { font-style: normal; color: var(--quiet); }
.pairs div { display: grid; grid-template-columns: 9.5rem 1fr; gap: 0 1rem; margin: .3rem 0; }
.pairs dt { color: var(--quiet); } .pairs .bad, .pairs .warn, .pairs .strong { font-weight: 600; }
details.more { border: 0; margin: 0; } .more > summary { padding-left: 0; color: var(--link); }
.more > .inside { padding: .35rem 0 0; } details.more[open] > summary { border: 0; background: none; }
.exchange > summary { font-size: .92rem; }
`

/** Where there is room the way to the cases stands beside them; on a phone nothing is wider than 360 px. */
const WIDTHS = `
@media (min-width: 72rem) { body { max-width: 84rem; padding: 2.5rem 2rem 4rem; } html { scroll-padding-top: 1rem; }
  main { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; column-gap: 3rem; align-items: start; }
  .mend, .cases { grid-column: 1; min-width: 0; }
  .side { display: block; grid-column: 2; grid-row: 1 / span 2; position: sticky; top: 0; max-height: 100vh;
    overflow: auto; padding: 0 .3rem 1rem; }
  form { position: static; border: 0; } form > label, fieldset, output { width: 100%; }
  .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.25rem; } .sides > div { min-width: 0; } }
@media (max-width: 40rem) { body { padding: 1rem .8rem 3rem; } html { scroll-padding-top: .5rem; }
  h1 { font-size: 1.4rem; } .top { gap: .9rem; } .grade { min-width: 3.8rem; font-size: 1.9rem; }
  th, td { padding: .3rem .2rem; font-size: .82rem; } thead th { font-size: .68rem; }
  form { position: static; } .inside { padding: .35rem .6rem .6rem; } summary { padding: .5rem .6rem; }
  .pairs div { grid-template-columns: 1fr; margin: .5rem 0; } }
`

/** How the page looks. Nothing in it moves, so that nobody needs to ask for less of that. */
export const STYLE = COLOURS + TEXT + TOP + SIDE + CASES + WIDTHS + PRINT
