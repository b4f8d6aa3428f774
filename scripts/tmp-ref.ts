import { check } from '../conformance/check.ts'
import { readConfig } from '../server/config.ts'
import { start } from '../server/server.ts'
const S='whsec_of_the_conformance_tests'
const receiver = await start(readConfig({ WEBHOOK_SECRET: S, PORT: '0', INBOX: 'memory', OBSERVE: '1', LOG_LEVEL: 'silent' }))
const t=performance.now()
const rep = await check({ secret:S, url: `${receiver.url}/webhooks`, observe: `${receiver.url}/observe`, onNotice: (x)=>console.log('notice', x) })
console.log(Math.round(performance.now()-t), rep.conclusion, JSON.stringify(rep.counts), rep.diagnosis)
for(const x of rep.verdicts.filter(x=>x.outcome!=='passed').slice(0,12)) console.log('  ',x.case,x.outcome,x.problems.map(p=>p.received).join('; ').slice(0,150),x.reason??'')
process.exit()
