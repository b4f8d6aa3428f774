import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.7","description":"","frontmatter":{"title":"Requirement 7.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.7.md","filePath":"site/pages/requirements/7.7.md"}');
const _sfc_main = { name: "requirements/7.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-77" tabindex="-1">Requirement 7.7 <a class="header-anchor" href="#requirement-77" aria-label="Permalink to &quot;Requirement 7.7&quot;">​</a></h1><blockquote><p>A refused delivery MUST NOT prevent a valid delivery of the same payment from being handled.</p></blockquote><p>MUST · Source: Convention: otherwise anyone who knows a payment id can suppress its payment</p><p><strong>Prevents:</strong> anyone who knows a payment id suppresses its payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/forged-first"><code>forged-first</code></a></td><td>Anyone who knows a payment id can suppress its payment.</td></tr><tr><td><a href="/hookproof/cases/duplicates/altered-first"><code>altered-first</code></a></td><td>Anyone who knows a payment id can suppress its payment.</td></tr><tr><td><a href="/hookproof/cases/duplicates/stale-first"><code>stale-first</code></a></td><td>A payment is lost when its first delivery arrives late or is replayed: the next one counts as seen.</td></tr><tr><td><a href="/hookproof/cases/duplicates/broken-off-first"><code>broken-off-first</code></a></td><td>Anyone who knows a payment id can suppress its payment.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_7 as default
};
