// Adds a Copy button to each element with data-copy. Without this script the text can be selected.

function addButtons() {
  for (const box of document.querySelectorAll('[data-copy]:not([data-copied])')) {
    box.dataset.copied = 'ready'
    if (box.tagName === 'PRE') wrap(box)
    box.insertAdjacentElement('afterend', buttonFor(box))
  }
}

/** The button of a block lies over its corner, so that nothing moves when it appears. */
function wrap(box) {
  const frame = document.createElement('div')
  frame.className = 'copyframe'
  box.replaceWith(frame)
  frame.append(box)
}

function buttonFor(box) {
  const { copyLink } = box.dataset
  const label = copyLink === undefined ? 'Copy' : 'Copy link'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = box.tagName === 'CODE' ? 'copy inline' : 'copy'
  button.textContent = label
  button.setAttribute('aria-label', `Copy ${box.dataset.copy}`)
  const textOf = () =>
    copyLink === undefined ? (box.textContent ?? '') : new URL(copyLink, location.href).href
  button.addEventListener('click', () => void copy(textOf(), button, label))
  return button
}

async function copy(text, button, label) {
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Copy failed: select the text',
  )
  setTimeout(() => {
    button.textContent = label
  }, 2000)
}

document.addEventListener('refreshed', addButtons)
addButtons()
