// Bundles the command: loading its modules one by one would take a tenth of a second of each run. It replaces
// dist/cli/main.js; the modules stay where they are, for the exports of the package.
import { readFileSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { build } from 'esbuild'

const FOLDER = resolve('dist/cli')
const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

await build({
  entryPoints: [resolve(FOLDER, 'main.js')],
  outdir: FOLDER,
  allowOverwrite: true,
  bundle: true,
  // One folder, from which `moduleUrl` finds every module. What a command does not need is not loaded.
  splitting: true,
  chunkNames: 'part-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)].flatMap((name) => [
    name,
    `${name}/*`,
  ]),
  banner: { js: 'const moduleUrl = (path) => new URL(path, import.meta.url).href;' },
  plugins: [{ name: 'module-url', setup: keepUrls }],
  logLevel: 'warning',
})

// npm makes the command of an installed package executable; in a clone, `npx hookproof` runs this file as it is.
await chmod(resolve(FOLDER, 'main.js'), 0o755)

/** Modules find files beside themselves by `import.meta.url`, which has to stay that of the module. */
function keepUrls({ onLoad }) {
  onLoad({ filter: /[/\\]dist[/\\].*\.js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8')
    const own = JSON.stringify(relative(FOLDER, path).replaceAll('\\', '/'))
    return { contents: text.replaceAll('import.meta.url', `moduleUrl(${own})`), loader: 'js' }
  })
}
