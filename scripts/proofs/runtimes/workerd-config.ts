import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const PACKAGE = '@hookproof/receiver'

/**
 * Copies the modules of the worker into a folder and writes the configuration of workerd. Its Durable Object keeps its
 * SQLite database in the folder.
 * @param dist the built package
 * @returns the path of the configuration
 */
export function configureWorkerd(folder: string, dist: string): string {
  mkdirSync(join(folder, 'storage'))
  cpSync(dist, join(folder, PACKAGE, 'dist'), { recursive: true })
  copyFileSync('docs/examples/cloudflare-worker.js', join(folder, 'cloudflare-worker.js'))
  copyFileSync('scripts/proofs/runtimes/apps/workerd.js', join(folder, 'worker.js'))
  const files = [
    'worker.js',
    'cloudflare-worker.js',
    ...readdirSync(join(folder, PACKAGE), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name))),
  ]
  const modules = [
    ...files.map((file) => `(name = "${file}", esModule = embed "${file}")`),
    // The exports of package.json, which workerd does not read.
    `(name = "${PACKAGE}", esModule = "export * from './receiver/dist/index.js'")`,
    `(name = "${PACKAGE}/fetch", esModule = "export * from './dist/limits/limited-fetch.js'")`,
  ]
  const config = join(folder, 'workerd.capnp')
  writeFileSync(config, configuration(modules, join(folder, 'storage')))
  return config
}

const configuration = (modules: readonly string[], storage: string): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "receiver", worker = .receiver),
    (name = "storage", disk = (path = "${storage}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "receiver")],
);

const receiver :Workerd.Worker = (
  modules = [
    ${modules.join(',\n    ')}
  ],
  compatibilityDate = "2025-09-15",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [
    (name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET"),
    (name = "RECEIVER", durableObjectNamespace = "Receiver"),
  ],
  durableObjectNamespaces = [(className = "Receiver", uniqueKey = "receiver", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
);
`
