/** How a workflow prepares and starts the receiver of a project. */
export interface Project {
  /** Steps of the workflow, as lines of YAML; one item may have several lines. */
  readonly steps: readonly string[]
  /** The command that starts the receiver. The environment has its PORT. */
  readonly start: string
  /** The file that shows the kind of project; undefined when there is none. */
  readonly sign?: string | undefined
  /** What the files do not show and the workflow needs, in one sentence, if anything. */
  readonly missing?: string | undefined
}

/** The files of the working directory. */
export interface Files {
  /** The first of these names that exists. */
  readonly first: (...names: string[]) => string | undefined
  readonly has: (...names: string[]) => boolean
  /** The text of a file; empty when it cannot be read. */
  readonly text: (name: string) => Promise<string>
  /** The names in a folder; none when it cannot be read. */
  readonly names: (folder: string) => Promise<readonly string[]>
}

/** What package.json says about the project. */
export interface Manifest {
  readonly scripts?: { readonly start?: unknown }
  /** Such as `pnpm@10.33.0`. */
  readonly packageManager?: unknown
}
