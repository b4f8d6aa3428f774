import { check } from '../conformance/check.ts'
import { startReceiver } from '../test/mutants/receiver.ts'
import { setTimeout as pause } from 'node:timers/promises'
const [,, ms='300', ack='200', timeout='1000', kind='parallel', profile='core'] = process.argv
const S='whsec_of_the_mutants_c2VjcmV0'
let last: Promise<unknown> = Promise.resolve()
const r = await startReceiver(S, { behavior: {
  async acknowledge(_, response) { await slow(); response.writeHead(200).end() },
  status: ({code}) => code,
}})
async function slow(){ if(kind==='parallel') return pause(Number(ms)); const mine = last.then(()=>pause(Number(ms))); last = mine; await mine }
const t=performance.now(); let n=0
const rep = await check({url:r.url, secret:S, profile: profile as never, observe: profile==='full'?r.effects:undefined as never, ackWithinMs:Number(ack), timeoutMs:Number(timeout), waitMs:3000, onNotice: (x)=>console.log('notice:',x), onVerdict: ()=>{n++}})
r.stop()
console.log(Math.round(performance.now()-t), rep.conclusion, JSON.stringify(rep.counts), rep.diagnosis)
for(const x of rep.verdicts.filter(x=>x.outcome!=='passed').slice(0,12)) console.log('  ',x.case,x.outcome,x.problems.map(p=>p.received).join('; ').slice(0,150),x.reason??'')
for(const x of rep.verdicts.toSorted((a,b)=>b.durationMs-a.durationMs).slice(0,14)) console.log('   slow', x.case, Math.round(x.durationMs), x.exchanges.length)
process.exit()
