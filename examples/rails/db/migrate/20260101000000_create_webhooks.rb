class CreateWebhooks < ActiveRecord::Migration[6.1]
  def change
    create_table :inbox do |t|
      t.string :payment_id, :event, :variant, null: false
      t.boolean :live, null: false
      t.binary :body, null: false
      t.boolean :done, null: false, default: false
      t.index %i[payment_id live event variant], unique: true
      t.index :done, where: 'NOT done'
    end
    create_table :effects do |t|
      t.string :payment_id, :effect, :event, null: false
      t.boolean :live, null: false
      t.string :amount, :currency
      t.index %i[payment_id live effect], unique: true
    end
  end
end
