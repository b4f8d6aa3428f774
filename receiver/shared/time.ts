/**
 * Awaits work for a limited time. What the work does after that is ignored.
 * @param ms how long, in milliseconds
 * @param late the message of the error if the work takes longer
 * @param keepAlive whether waiting keeps the process running
 * @throws what the work threw, or an error with the message
 */
export async function within<Result>(
  ms: number,
  work: Promise<Result>,
  late: string,
  keepAlive = true,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), ms)
    if (!keepAlive) timer.unref()
  })
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer))
}
