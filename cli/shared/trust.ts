import { isPem, type Trust } from '../../conformance/engine/wire/trust.ts'
import { UsageError } from './exit.ts'
import { type Io, pathOf } from './io.ts'
import { readText } from './read-file.ts'
import { defined, reasonOf } from './text.ts'

/** The options of the commands that send over https. */
export interface TrustOptions {
  /** A file of certificates in PEM. */
  readonly ca?: string
  readonly insecure?: true
}

/** Reads the certificates that `--ca` names. @throws UsageError when the file cannot be read or has none */
export async function readTrust({ ca: file, insecure }: TrustOptions, io: Io): Promise<Trust> {
  if (file === undefined) return defined({ insecure })
  let ca: string
  try {
    ca = await readText(pathOf(io, file))
  } catch (error) {
    throw new UsageError(
      `cannot read the certificates ${file}: ${reasonOf(error)}; pass another path as --ca`,
    )
  }
  if (!isPem(ca)) {
    throw new UsageError(
      `${file} is not a certificate in PEM: pass a file with -----BEGIN CERTIFICATE----- as --ca`,
    )
  }
  return { ca, ...defined({ insecure }) }
}
