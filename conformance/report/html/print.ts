/**
 * On paper: black on white, without what can only be clicked. What failed is printed whole but for the exchanges that
 * the reader has left closed; what passed takes one line.
 */
export const PRINT = `
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 10pt; }
  main, .side { display: block; } form, .self, .more > summary { display: none !important; }
  a { color: inherit; text-decoration: none; } h1, h2, h3, summary { break-after: avoid; }
  .cards > li, tr, pre { break-inside: avoid; } pre.long { max-height: none; }
  .grade, .outcome, .bar { print-color-adjust: exact; }
  [data-outcome='failed']::details-content, [data-outcome='warning']::details-content, .more::details-content {
    content-visibility: visible; } }
`
