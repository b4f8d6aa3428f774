import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, startProgram } from '../../shared/program.ts'
import type { RuntimeName } from './install.ts'
import { configureWorkerd } from './workerd-config.ts'

/** The built package, and the folder for the files of the receiver. */
export interface Place {
  readonly folder: string
  readonly dist: string
}

/** Starts the receiver in a runtime. Its program has the address that it prints. */
export function startReceiver(runtime: RuntimeName, program: string, place: Place, secret: string): Program {
  const env = { PATH: process.env['PATH'], HOME: place.folder, WEBHOOK_SECRET: secret }
  if (runtime === 'workerd') {
    const args = ['serve', '--control-fd=1', configureWorkerd(place.folder, place.dist)]
    return startProgram(program, args, { env, addressIn: addressOfWorkerd })
  }
  const app = join(installApps(place), `${runtime}.js`)
  const flags = { bun: [], deno: ['run', '--node-modules-dir=manual', '--allow-net', '--allow-env'] }
  return startProgram(program, [...flags[runtime], app], {
    env,
    addressIn: (line) => /^listening: (http.*)$/.exec(line)?.[1],
  })
}

/** Copies the apps and the built package, as `npm install` would. @returns the folder of the apps */
function installApps({ folder, dist }: Place): string {
  const target = join(folder, 'node_modules/@hookproof/receiver')
  mkdirSync(target, { recursive: true })
  cpSync(dist, join(target, 'dist'), { recursive: true })
  cpSync('receiver/package.json', join(target, 'package.json'))
  cpSync('scripts/proofs/runtimes/apps', folder, { recursive: true })
  const dependencies = { '@hookproof/receiver': '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  return folder
}

/** workerd reports the port of each socket as JSON. */
function addressOfWorkerd(line: string): string | undefined {
  const port = /"event":"listen".*"port":(\d+)/.exec(line)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}
