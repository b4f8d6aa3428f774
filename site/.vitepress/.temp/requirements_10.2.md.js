import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.2","description":"","frontmatter":{"title":"Requirement 10.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.2.md","filePath":"site/pages/requirements/10.2.md"}');
const _sfc_main = { name: "requirements/10.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-102" tabindex="-1">Requirement 10.2 <a class="header-anchor" href="#requirement-102" aria-label="Permalink to &quot;Requirement 10.2&quot;">​</a></h1><blockquote><p>A receiver MUST answer validly signed JSON that is not an event with a status below 500 and without an effect, and accept the next delivery.</p></blockquote><p>MUST · Source: Convention: Interface 6, rule 4 does not show all payloads</p><p><strong>Prevents:</strong> one body that is not an event stops the payments behind it, or is credited.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/json-null"><code>json-null</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/json-array"><code>json-array</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/json-text"><code>json-text</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/empty-object"><code>empty-object</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/event-of-wrong-type"><code>event-of-wrong-type</code></a></td><td>The handler crashes on a missing field, or records a payment without an id.</td></tr><tr><td><a href="/hookproof/cases/robustness/event-of-wrong-type-has-no-effect"><code>event-of-wrong-type-has-no-effect</code></a></td><td>Something that is not an event is credited as a payment.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_2 as default
};
