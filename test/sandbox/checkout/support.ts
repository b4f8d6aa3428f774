import type { Sandbox } from '../../../sandbox/index.ts'
import { call } from '../support.ts'

/** A payment and the address of its checkout, as creation answers. */
export interface Opened {
  id: string
  url: string
}

/** Creates a payment with somewhere to go back to. */
export async function checkout(on: Sandbox, body: object = {}, key = on.testKey): Promise<Opened> {
  const given = { amount: '25.00', currency: 'USD', return_url: 'https://shop.example/thanks', ...body }
  const { json } = await call(on, 'POST', '/payments', { key, body: given })
  return { id: String(json['id']), url: String(json['checkout_url']) }
}

/** Loads the page. */
export async function load(url: string): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await fetch(url)
  return { status: response.status, html: await response.text(), headers: response.headers }
}

interface Pressed {
  status: number
  html: string
  location: string | null
}

/** Sends a form of the page as a browser does, and stays where a redirect would lead away. */
export async function press(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Pressed> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: new URL(url).origin, ...headers },
    body: new URLSearchParams(form),
  })
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
  }
}

/** The payment as the API shows it. */
export const lookUp = async (on: Sandbox, id: string, key = on.testKey): Promise<Record<string, unknown>> =>
  (await call(on, 'GET', `/payments/${id}`, { key })).json

/** The names of the buttons that act, in the order of the page. */
export const buttons = (html: string): string[] =>
  [...html.matchAll(/<button type="submit" name="press" value="(\w+)"/g)].map(([, name = '']) => name)

/** The lines that say what was refused. */
export const alerts = (html: string): string[] =>
  [...html.matchAll(/<p class="problem" role="alert"[^>]*>([^<]*)</g)].map(([, text = '']) => text)
