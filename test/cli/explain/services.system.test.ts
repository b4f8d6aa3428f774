import { expect, test } from 'vitest'
import { SERVICES } from '../../../conformance/contracts/services.ts'
import { hookproof } from '../support.ts'

test.each(Object.values(SERVICES).map(({ id, cases }) => [id, cases.map((one) => one.id)] as const))(
  'explains every case of %s',
  async (service, ids) => {
    for (const id of ids) {
      const { code, stdout } = await hookproof(['explain', id, '--service', service])
      expect([code, stdout.split('  ')[0]], id).toEqual([0, id])
    }
  },
)
