import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.2","description":"","frontmatter":{"title":"Requirement 7.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.2.md","filePath":"site/pages/requirements/7.2.md"}');
const _sfc_main = { name: "requirements/7.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-72" tabindex="-1">Requirement 7.2 <a class="header-anchor" href="#requirement-72" aria-label="Permalink to &quot;Requirement 7.2&quot;">​</a></h1><blockquote><p>A receiver MUST handle a delivery and its redeliveries once.</p></blockquote><p>MUST · Source: Interface 4.8: receivers deduplicate by payment id</p><p><strong>Prevents:</strong> a customer gets the goods twice for one payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/delivered-twice-in-turn"><code>delivered-twice-in-turn</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/delivered-five-times-in-turn"><code>delivered-five-times-in-turn</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/after-other-payments"><code>after-other-payments</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/after-a-thousand-payments"><code>after-a-thousand-payments</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/delivered-on-separate-connections"><code>delivered-on-separate-connections</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/after-a-second"><code>after-a-second</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/after-its-signature-expired"><code>after-its-signature-expired</code></a></td><td>The merchant ships the goods twice when the service sends a delivery again after the signature of the first one has expired.</td></tr><tr><td><a href="/hookproof/cases/duplicates/nothing-happens-twice-later"><code>nothing-happens-twice-later</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/durability/nothing-doubled-after-a-crash"><code>nothing-doubled-after-a-crash</code></a></td><td>A crash makes the merchant ship the goods twice.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_2 as default
};
