import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.4","description":"","frontmatter":{"title":"Requirement 7.4","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.4.md","filePath":"site/pages/requirements/7.4.md"}');
const _sfc_main = { name: "requirements/7.4.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-74" tabindex="-1">Requirement 7.4 <a class="header-anchor" href="#requirement-74" aria-label="Permalink to &quot;Requirement 7.4&quot;">​</a></h1><blockquote><p>A receiver MUST recognize a redelivery by its payment and event, regardless of its <code>t</code>, signature, <code>timestamp</code> or bytes.</p></blockquote><p>MUST · Source: Interface 4.8 and Interface 4.7</p><p><strong>Prevents:</strong> a customer gets the goods twice for one payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/signed-again"><code>signed-again</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/with-a-new-timestamp"><code>with-a-new-timestamp</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/with-timestamps-of-other-months"><code>with-timestamps-of-other-months</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/reserialized"><code>reserialized</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/with-other-fields"><code>with-other-fields</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/with-and-without-livemode"><code>with-and-without-livemode</code></a></td><td>The merchant ships the goods more than once.</td></tr><tr><td><a href="/hookproof/cases/duplicates/with-another-request-id"><code>with-another-request-id</code></a></td><td>Anyone who has seen one delivery can send it again with another header, and the merchant ships the goods twice.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.4.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_4 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_4 as default
};
