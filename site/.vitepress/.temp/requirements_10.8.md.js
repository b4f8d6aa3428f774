import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.8","description":"","frontmatter":{"title":"Requirement 10.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.8.md","filePath":"site/pages/requirements/10.8.md"}');
const _sfc_main = { name: "requirements/10.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-108" tabindex="-1">Requirement 10.8 <a class="header-anchor" href="#requirement-108" aria-label="Permalink to &quot;Requirement 10.8&quot;">​</a></h1><blockquote><p>A receiver MUST accept a field value that is unusual but allowed, such as an emoji in the metadata.</p></blockquote><p>MUST · Source: Interface 2.2: metadata is returned unchanged</p><p><strong>Prevents:</strong> a customer pays and gets nothing, because of a text that they or the merchant chose.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/emoji-in-metadata"><code>emoji-in-metadata</code></a></td><td>A payment is refused because of a text that the customer or the merchant chose.</td></tr><tr><td><a href="/hookproof/cases/robustness/quotes-in-metadata"><code>quotes-in-metadata</code></a></td><td>A payment is refused because of a text that the customer or the merchant chose.</td></tr><tr><td><a href="/hookproof/cases/robustness/long-metadata"><code>long-metadata</code></a></td><td>A payment is refused because of a text that the customer or the merchant chose.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_8 as default
};
