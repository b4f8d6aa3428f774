import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"3. The deduplication key","description":"","frontmatter":{},"headers":[],"relativePath":"docs/decisions/0003-deduplication-key.md","filePath":"docs/decisions/0003-deduplication-key.md"}');
const _sfc_main = { name: "docs/decisions/0003-deduplication-key.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="3-the-deduplication-key" tabindex="-1">3. The deduplication key <a class="header-anchor" href="#3-the-deduplication-key" aria-label="Permalink to &quot;3. The deduplication key&quot;">​</a></h1><p>Status: accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The service delivers an event again after a failure, and copies may arrive at the same time. A delivery has no id that the signature covers, and one payment has several events: it completes, it is refunded in parts, it is charged back.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The key is the payment and what happened to it: <code>payment_id</code> and <code>event</code>, plus <code>amount_received</code> for a partial payment, and <code>type</code> for a refund. Test events have keys of their own. A unique index of the inbox enforces the key.</p><table tabindex="0"><thead><tr><th>left out</th><th>because</th></tr></thead><tbody><tr><td>the signature and <code>t</code></td><td>every attempt is signed again</td></tr><tr><td>the bytes of the body, and a hash of them</td><td>the service may add a field, or write the same JSON differently</td></tr><tr><td>headers such as <code>Idempotency-Key</code></td><td>the signature does not cover them: anyone who captured a delivery could set another</td></tr><tr><td><code>payment_id</code> alone</td><td>a refund would count as a copy of the completion</td></tr><tr><td>the time of arrival, or a window</td><td>a redelivery may come days later</td></tr></tbody></table><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Two different partial payments of the same total amount are one event. The interface gives the total that was received, which grows with each part, so that this does not happen. A key is kept as long as its event (<code>RETENTION_DAYS</code>); a redelivery after that is a new event, so a unique key in the merchant&#39;s own tables remains necessary.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/0003-deduplication-key.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0003DeduplicationKey = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0003DeduplicationKey as default
};
