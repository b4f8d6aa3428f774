/** The filters, and opening the case that the address names. Without script the page is the same but for them. */
export const SCRIPT = `
const form = document.querySelector('form')
const none = document.querySelector('.none')
const cases = [...document.querySelectorAll('details[data-outcome]')]
const sections = [...document.querySelectorAll('section[data-section]')]
const filter = () => {
  const wanted = new FormData(form)
  const outcomes = wanted.getAll('outcome')
  const section = wanted.get('section')
  for (const one of cases) {
    one.hidden = !outcomes.includes(one.dataset.outcome) || (section !== '' && one.dataset.section !== section)
  }
  for (const one of sections) one.hidden = one.querySelector('details[data-outcome]:not([hidden])') === null
  const shown = cases.filter((one) => !one.hidden).length
  none.hidden = shown > 0
  form.querySelector('output').textContent =
    (shown === 0 ? 'No case matches: ' : '') + shown + ' of ' + cases.length + ' cases shown'
}
const named = () => {
  try { return document.getElementById(decodeURIComponent(location.hash.slice(1))) } catch { return null }
}
const reveal = () => {
  const target = named()
  if (target === null) return
  if (target.hidden) { form.reset(); filter() }
  if (target instanceof HTMLDetailsElement) {
    target.open = true
    target.querySelector('summary').focus({ preventScroll: true })
  }
  target.scrollIntoView()
}
form.addEventListener('input', filter)
form.addEventListener('reset', () => setTimeout(filter))
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', reveal)
// A link to where the address already points changes nothing that would be told.
addEventListener('click', ({ target }) => { if (target.closest('a')?.hash === location.hash) reveal() })
form.hidden = false
filter()
if (location.hash !== '') reveal()
`
