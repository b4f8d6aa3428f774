/** A shorter secret may be a word, such as `test`, which occurs in texts that disclose nothing. */
export const LEAST_SECRET_CHARACTERS = 16

/** Whether a signing secret is so short that its characters may occur in a text by chance. */
export const isShortSecret = (secret: string): boolean => secret.length < LEAST_SECRET_CHARACTERS
