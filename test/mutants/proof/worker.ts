// A process of the proof: performs jobs, several at the same time, until it is killed, or is disconnected and has finished.
import { type Job, perform } from './job.ts'

process.on('message', ({ id, job }: { id: number; job: Job }) => {
  perform(job).then(
    ({ outcomes, causes }) => process.send?.({ id, outcomes: [...outcomes], causes }),
    (error: unknown) => process.send?.({ id, error: `${job.kind} "${job.name}": ${String(error)}` }),
  )
})
