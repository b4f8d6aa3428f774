/** How to run a shell command with one more argument: the shell, and its arguments as `execFile` takes them. */
export function inShell(
  command: string,
  argument: string,
  platform: NodeJS.Platform = process.platform,
  { ComSpec: windows = 'cmd.exe' }: NodeJS.ProcessEnv = process.env,
): readonly [shell: string, ...args: string[]] {
  if (platform !== 'win32') return ['/bin/sh', '-c', `${command} "$@"`, 'sh', argument]
  // With /s, cmd removes the outer quotation marks and reads the rest as it stands.
  return [windows, '/d', '/s', '/c', `"${command} "${argument.replaceAll('"', '""')}""`]
}
