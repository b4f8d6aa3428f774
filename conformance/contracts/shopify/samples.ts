import { createHash } from 'node:crypto'
import type { Sample } from '../webhook/service.ts'

/** The shop that the events are about. */
export const SHOP = 'shop-of-an-example.myshopify.com'

/** A number, as Shopify identifies things. */
const numberOf = (id: string) => Number.parseInt(createHash('sha1').update(id).digest('hex').slice(0, 11), 16)
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
/** An event about something that has a number of its own. */
const about =
  (event: (id: number, made: Parameters<Sample>[0]) => object): Sample =>
  (made) =>
    event(numberOf(made.newId('', 20)), made)

const ofShop = (id: number) => ({ shop_id: id, shop_domain: SHOP })
const CUSTOMER = { id: 207_119_551, email: 'zoe@shop.example', phone: null }

const EVENTS: Readonly<Record<string, Sample>> = {
  'orders/create': about((id, { now, note }) => ({
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    created_at: timeOf(now),
    currency: 'EUR',
    financial_status: 'pending',
    name: '#10001',
    note,
    order_status_url: `https://shop.example/orders/${id}`,
    total_price: '49.00',
    line_items: [{ id: 466_157_049, title: 'Teapot', quantity: 1, price: '49.00' }],
    customer: CUSTOMER,
  })),
  'orders/paid': about((id, { now }) => ({
    id,
    created_at: timeOf(now),
    currency: 'EUR',
    financial_status: 'paid',
    total_price: '49.00',
  })),
  'refunds/create': about((id, { now }) => ({
    id,
    order_id: 820_982_911,
    created_at: timeOf(now),
    note: 'It arrived broken.',
    transactions: [{ id: 179_259_969, kind: 'refund', status: 'success', amount: '49.00', currency: 'EUR' }],
  })),
  'products/update': about((id, { now }) => ({
    id,
    title: 'Teapot',
    status: 'active',
    updated_at: timeOf(now),
    variants: [{ id: 808_950_810, title: 'Blue', price: '49.00', sku: 'TEAPOT-BLUE' }],
  })),
  'inventory_levels/update': about((id, { now }) => ({
    inventory_item_id: id,
    location_id: 655_441_491,
    available: 0,
    updated_at: timeOf(now),
  })),
  'app/uninstalled': about((id) => ({ id, name: 'Shop of an example', domain: SHOP, plan_name: 'basic' })),
  'customers/data_request': about((id) => ({
    ...ofShop(id),
    orders_requested: [299_938],
    customer: CUSTOMER,
    data_request: { id: 9_999 },
  })),
  'customers/redact': about((id) => ({ ...ofShop(id), customer: CUSTOMER, orders_to_redact: [299_938] })),
  'shop/redact': about(ofShop),
}

/** The name of the sample of a topic, which becomes a part of the ids of cases. */
const nameOf = (topic: string) => topic.replaceAll(/[/_]/g, '-')
const named = <T>(valueOf: (topic: string, sample: Sample) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(EVENTS).map(([topic, sample]) => [nameOf(topic), valueOf(topic, sample)]))

/** Our own events in the shape of Shopify's; the first is the one that most cases send. */
export const SAMPLES = named((_, sample) => sample)

/** The topic of each sample. */
export const TOPICS = named((topic) => topic)
