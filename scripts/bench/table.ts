import { type Row, reached } from './figure.ts'

const INTRODUCTION = `# Performance

Made by \`npm run bench -- --write\`, which takes names of figures to measure only those anew. Each figure is a ratio to a
floor or a peer, measured in the same run, alternated, the median of five rounds or more. The server is pinned to one core
and its client to another; the client is \`hookproof load\`, which signs each delivery, with a random payment id each, over
200 connections where nothing else is said. How busy the server's core was tells whether the client saturated it. Rates
move by half on a shared machine: trust the ratios, and the processor time of the server for each answer.

- *Signature alone* is \`createSignatureCheck\`; \`createVerifier\` reads the event as well, and parsing JSON takes about as long
  again. Times are processor time, collection of garbage included.
- *Full receiver*: read, verify, parse, store where there is a store, acknowledge. Processing is not running.
- *On SQLite*: the inbox has 200,000 rows with random keys; each acknowledgement waits for the disk.
- *On Postgres*: the same, the queue's job included; Postgres is on this machine, on the client's core.
- *Two receivers on one Postgres*: receivers, Postgres and clients share the two cores, each receiver with half of the
  connections. That is the limit here: one receiver with its client and Postgres keeps both cores busy, so a second finds
  no processor time to add, and splits the deliveries into smaller batches, each with a commit of its own.
- *Acknowledgement p99, 50 connections*: each sends its next delivery when the last was answered. So a pause is met by 50
  deliveries and no more; at a fixed rate, in the next row, it is met by all that were due meanwhile, and SQLite has such
  pauses: after some 12,000 deliveries it carries its log over into the file, which takes about 70 ms.
  The first of the two was 0.51 to 0.64 in five runs: the disk decides, whose slowest syncs it shows.
- *Acknowledgement p50, one client*: it has a transaction of its own either way. Ours waits for the end of the turn of the event
  loop, since others might come with it, and looks whether the file is still in its place: 20 to 60 µs of 200, and so more
  than the tenth that was wanted.
- *No work*: the route with raw-body, and neither verification nor a store.
`

/** docs/performance.md. @param before what it was, of which the rows stay that were not measured anew */
export function document(rows: readonly Row[], before = ''): string {
  const measured = new Map(rows.map((row) => [nameOf(row), lineOf(row)]))
  const kept = before.split('\n').filter((line) => /^\| (?!figure|---)/.test(line))
  const lines = kept.map((line) => {
    const name = line.split(' | ').slice(0, 2).join(' | ')
    const anew = measured.get(name)
    measured.delete(name)
    return anew ?? line
  })
  lines.push(...measured.values())
  const head =
    '| figure | floor or peer | ratio | wanted | | behind it |\n| --- | --- | --- | --- | --- | --- |'
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${new Date().toISOString().slice(0, 10)}.`
  return `${INTRODUCTION}\n${head}\n${lines.join('\n')}\n\n${machine}\n`
}

const nameOf = ({ figure, against }: Row): string => `| ${figure} | ${against}`

function lineOf(row: Row): string {
  const { ratio, wanted, detail } = row
  const verdict = { true: 'reached', false: 'missed', undefined: '' }[String(reached(row))]
  return `${nameOf(row)} | ${[ratio?.toFixed(2) ?? '', wanted, verdict, detail].join(' | ')} |`
}
