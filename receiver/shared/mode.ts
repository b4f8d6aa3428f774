/** Whether an event is of a live payment. Older events lack livemode and were live. If `livemode` and `test` disagree, test wins. */
export function isLive({ livemode, test }: { livemode?: unknown; test?: unknown }): boolean {
  return test !== true && (livemode === undefined || livemode === true)
}
