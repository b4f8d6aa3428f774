/**
 * The domain of the endpoints of `hookproof listen`. Nobody can own it (RFC 2606), and no other endpoint can have a name in
 * it: `checkTarget` refuses them.
 */
export const LISTENER_DOMAIN = 'listen.example'

/** Whether a host name, in lower case, is in {@link LISTENER_DOMAIN}. */
export const isListenerHost = (name: string): boolean =>
  `.${name.replace(/\.$/, '')}`.endsWith(`.${LISTENER_DOMAIN}`)
