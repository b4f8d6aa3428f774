import type { Page } from 'playwright-core'

const PICTURES = `[...document.querySelectorAll('.VPContent img')].map((image) => ({
  source: image.getAttribute('src'),
  theme: image.classList.contains('in-dark') ? 'dark' : image.classList.contains('in-light') ? 'light' : undefined,
  isShown: image.getClientRects().length > 0,
  hasSize: image.hasAttribute('width') && image.hasAttribute('height'),
}))`

interface Picture {
  readonly source: string
  readonly theme?: 'dark' | 'light'
  readonly isShown: boolean
  readonly hasSize: boolean
}

/** Which pictures are not those of the theme, or get their place only when they have arrived. */
export async function pictureFaults(page: Page, theme: 'dark' | 'light'): Promise<string[]> {
  const pictures = await page.evaluate<Picture[]>(PICTURES)
  return pictures.flatMap((picture) => [
    ...(picture.isShown === ((picture.theme ?? theme) === theme)
      ? []
      : [`${picture.isShown ? 'shows' : 'hides'} ${picture.source}`]),
    ...(picture.hasSize ? [] : [`does not say the size of ${picture.source}`]),
  ])
}
