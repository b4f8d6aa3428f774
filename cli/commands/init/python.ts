import type { Files, Project } from './model.ts'
import { run, uses } from './steps.ts'

/** A project of Python: with a lock file or a list of packages, or a single script. */
export async function pythonProject(files: Files): Promise<Project> {
  const { has } = files
  const setup = uses('actions/setup-python@v6', "python-version: '3.13'")
  const { start, packages, missing } = has('manage.py')
    ? { start: 'python manage.py runserver "$PORT"', packages: ['django'], missing: undefined }
    : await scriptOf(files)
  const [install, prefix = ''] = has('uv.lock')
    ? ['pip install uv && uv sync', 'uv run ']
    : has('poetry.lock')
      ? ['pip install poetry && poetry install', 'poetry run ']
      : has('Pipfile')
        ? ['pip install pipenv && pipenv install', 'pipenv run ']
        : has('requirements.txt')
          ? ['pip install -r requirements.txt']
          : has('pyproject.toml')
            ? ['pip install .']
            : []
  if (install !== undefined) return { steps: [setup, run(install)], start: `${prefix}${start}`, missing }
  const only = packages.length === 0 ? 'nothing' : `only ${packages.join(' and ')}`
  return {
    steps: packages.length === 0 ? [setup] : [setup, run(`pip install ${packages.join(' ')}`)],
    start,
    missing: `There is no requirements.txt or pyproject.toml: the workflow installs ${only}. Add the packages that your receiver needs.`,
  }
}

/** How the script is started, and the packages that this takes. */
async function scriptOf({ first, text }: Files): Promise<{
  readonly start: string
  readonly packages: readonly string[]
  readonly missing: string | undefined
}> {
  const script = first('app.py', 'main.py', 'server.py', 'wsgi.py')
  if (script === undefined) {
    const missing = 'There is no app.py, main.py, server.py or wsgi.py: set `start`.'
    return { start: 'python app.py', packages: [], missing }
  }
  const source = await text(script)
  const imports = (name: string) => new RegExp(`^(?:from|import) ${name}\\b`, 'm').test(source)
  const name = script.slice(0, -'.py'.length)
  const isRunByItself = /__main__|\.run\(|serve_forever\(/.test(source)
  const found = { missing: undefined }
  if (imports('fastapi')) {
    const start = isRunByItself ? `python ${script}` : `uvicorn ${name}:app --port "$PORT"`
    return { ...found, start, packages: ['fastapi', 'uvicorn'] }
  }
  if (imports('flask') && script !== 'wsgi.py') {
    const start = isRunByItself ? `python ${script}` : `flask --app ${name} run --port "$PORT"`
    return { ...found, start, packages: ['flask'] }
  }
  if (script === 'wsgi.py') {
    const application = /^(?:from .* import .*\bapp\b|app\b)/m.test(source) ? 'app' : 'application'
    const start = `gunicorn --bind 127.0.0.1:"$PORT" wsgi:${application}`
    return { ...found, start, packages: imports('flask') ? ['flask', 'gunicorn'] : ['gunicorn'] }
  }
  return { ...found, start: `python ${script}`, packages: [] }
}
