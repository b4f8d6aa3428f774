// A process of the proof of the services.
import { performJobs } from '../shared/pool.ts'
import { perform } from './job.ts'

performJobs(perform)
