/** The filters. Without script the page is the same but for them: they are shown by it. */
export const SCRIPT = `
const form = document.querySelector('form')
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
  form.querySelector('output').textContent = shown + ' of ' + cases.length + ' cases shown'
}
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  if (target.hidden) { form.reset(); filter() }
  if (target instanceof HTMLDetailsElement) target.open = true
  target.scrollIntoView()
}
form.addEventListener('input', filter)
form.addEventListener('reset', () => setTimeout(filter))
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', reveal)
form.hidden = false
filter()
if (location.hash !== '') reveal()
`
