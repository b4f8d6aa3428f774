// A process of the proof of the catalogue.

import { performJobs } from '../../../scripts/proofs/shared/pool.ts'
import { perform } from './job.ts'

performJobs(perform)
