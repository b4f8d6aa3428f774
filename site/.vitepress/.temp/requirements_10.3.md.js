import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.3","description":"","frontmatter":{"title":"Requirement 10.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.3.md","filePath":"site/pages/requirements/10.3.md"}');
const _sfc_main = { name: "requirements/10.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-103" tabindex="-1">Requirement 10.3 <a class="header-anchor" href="#requirement-103" aria-label="Permalink to &quot;Requirement 10.3&quot;">​</a></h1><blockquote><p>A receiver MUST answer a validly signed event without a payment id with a status below 500 and without an effect, and accept the next delivery.</p></blockquote><p>MUST · Source: Interface 2.2: the ids are always strings</p><p><strong>Prevents:</strong> one event without an id stops the payments behind it, or is credited.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/ids-missing"><code>ids-missing</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/ids-empty"><code>ids-empty</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/ids-of-wrong-type"><code>ids-of-wrong-type</code></a></td><td>An id that is an object can act as a database query, or as a key that all payments share.</td></tr><tr><td><a href="/hookproof/cases/robustness/ids-in-arrays-have-no-effect"><code>ids-in-arrays-have-no-effect</code></a></td><td>A payment is recorded under an id that was converted to text, so deduplication may miss it.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_3 as default
};
