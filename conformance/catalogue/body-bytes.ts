import { altered } from './body-bytes/altered.ts'
import { genuine } from './body-bytes/genuine.ts'
import { section } from './section.ts'

export const bodyBytes = section('body-bytes', 'Body bytes', genuine, altered)
