import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.2","description":"","frontmatter":{"title":"Requirement 4.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.2.md","filePath":"site/pages/requirements/4.2.md"}');
const _sfc_main = { name: "requirements/4.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-42" tabindex="-1">Requirement 4.2 <a class="header-anchor" href="#requirement-42" aria-label="Permalink to &quot;Requirement 4.2&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a body in which one byte was altered after signing, with status 401, or with 400 or 422 if it is no longer JSON.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 6; a parser in front of the verifier may see the body first</p><p><strong>Prevents:</strong> an altered amount or payment id is credited.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/one-byte-of-the-amount-altered"><code>one-byte-of-the-amount-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/one-byte-of-the-id-altered"><code>one-byte-of-the-id-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/one-byte-of-the-event-altered"><code>one-byte-of-the-event-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/one-byte-of-the-metadata-altered"><code>one-byte-of-the-metadata-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/one-byte-beyond-ascii-altered"><code>one-byte-beyond-ascii-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/first-byte-altered"><code>first-byte-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/last-byte-altered"><code>last-byte-altered</code></a></td><td>An attacker can change an amount or an order number in transit.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_2 as default
};
