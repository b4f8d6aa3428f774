import { createHash } from 'node:crypto'
import type { Sample } from '../webhook/service.ts'

const REPOSITORY = { id: 10_001, name: 'shop', full_name: 'example/shop', private: false }
const SENDER = { id: 7, login: 'zoe', type: 'User' }
const sample =
  (event: (made: Parameters<Sample>[0]) => object): Sample =>
  (made) => ({ ...event(made), repository: REPOSITORY, sender: SENDER })
const commit = (id: string) => createHash('sha1').update(id).digest('hex')

/** Our own events in the shape of GitHub's, by the name in the header X-GitHub-Event; most cases send the first one. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  push: sample(({ newId, note }) => {
    const id = commit(newId('', 20))
    return {
      ref: 'refs/heads/main',
      before: commit('the one before'),
      after: id,
      commits: [{ id, message: note, url: `https://github.com/example/shop/commit/${id}` }],
      pusher: { name: 'zoe' },
    }
  }),
  ping: sample(() => ({
    zen: 'Short functions sleep well.',
    hook_id: 42,
    hook: { type: 'Repository', active: true },
  })),
  issues: sample(() => ({ action: 'opened', issue: { id: 1, number: 12, title: 'It does not start' } })),
  pull_request: sample(() => ({
    action: 'synchronize',
    number: 13,
    pull_request: { id: 2, number: 13, state: 'open', draft: true },
  })),
  issue_comment: sample(() => ({
    action: 'created',
    issue: { id: 1, number: 12 },
    comment: { id: 3, body: 'It does here.' },
  })),
  release: sample(() => ({ action: 'published', release: { id: 4, tag_name: 'v1.2.0', prerelease: false } })),
  star: sample(() => ({ action: 'deleted', starred_at: null })),
}
