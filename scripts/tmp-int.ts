import { check } from '../conformance/check.ts'
import { startReceiver } from '../test/mutants/receiver.ts'
process.on('unhandledRejection', (e, p) => { console.log('UNHANDLED', String((e as Error).stack).split('\n').slice(0,6).join('\n')); })
const S='whsec_of_the_mutants_c2VjcmV0'
const r = await startReceiver(S, {})
const ac = new AbortController()
setTimeout(()=>ac.abort(), 300)
const rep = await check({url:r.url, secret:S, observe:r.effects, signal: ac.signal})
console.log(rep.conclusion, JSON.stringify(rep.counts))
await new Promise(f=>setTimeout(f,500))
process.exit()
