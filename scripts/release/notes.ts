/**
 * Cuts the notes of a release from CHANGELOG.md.
 * @param version without a `v`
 * @param draft also accepts the section "Unreleased: <version>", for a dry run
 * @returns the text under the heading of the version, without the heading
 * @throws Error if CHANGELOG.md has no such heading, or nothing under it
 */
export function notesOf(changelog: string, version: string, draft: boolean): string {
  const sections = changelog.split(/^## /m).slice(1)
  const title = (section: string) => section.slice(0, section.indexOf('\n')).trim()
  const found = sections.find(
    (section) =>
      title(section) === version ||
      title(section).startsWith(`${version} `) ||
      (draft && title(section) === `Unreleased: ${version}`),
  )
  if (found === undefined) throw new Error(`CHANGELOG.md: add the section "## ${version}"`)
  const text = found.slice(title(found).length).trim()
  if (text === '') throw new Error(`CHANGELOG.md: the section "## ${version}" is empty`)
  return `${text}\n`
}
